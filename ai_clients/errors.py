"""What can go wrong with a model, as far as it makes a difference to whoever asked it."""


class ModelError(Exception):
    """The model did not answer. The text is for operators; it never holds what was asked."""


class RateLimited(ModelError):
    """Too much was asked; `retry_after` is the delay the server wants, if it said one."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(ModelError):
    """Not reached, overloaded, or too slow; it may work later."""


class Refused(ModelError):
    """The request itself was not taken: a wrong key, a model that is gone, or a blocked prompt."""


class BadReply(ModelError):
    """It answered, with nothing that can be used."""
