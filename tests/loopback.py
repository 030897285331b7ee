"""Clients of servers on this machine."""

import ssl

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here speaks TLS; by default every client would read all the certificates of the machine."""
