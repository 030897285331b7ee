"""Takes the port that is served on, before anything starts: whoever is told that it is taken has waited for nothing."""

import socket


class PortTakenError(Exception):
    """The port is taken; the text is for whoever starts Innkeeper."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"PORT: {host}:{port} cannot be used ({reason}); stop what is there, or choose another PORT.")


def bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            # asyncio leaves a socket made elsewhere as it is, and without this each answer may wait 40 ms for an ACK.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            bound.bind(address)
            bound.listen(128)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise PortTakenError(host, port, error.strerror or type(error).__name__) from error
    return bound
