"""Messages of a made-up day, written as briefly as a test needs them."""

from datetime import UTC, datetime, timedelta

from memory.core.values import AuthorKind, Message

GUILD, HALL, GARDEN = 1, 10, 11
ANNA, BERT, CLEO, US = 101, 102, 103, 999
MORNING = datetime(2026, 11, 14, 8, tzinfo=UTC)


class Talk:
    """Says one thing after the other, a minute apart."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def say(
        self,
        author_id: int,
        text: str,
        *,
        channel_id: int = HALL,
        reply_to: Message | None = None,
        kind: AuthorKind = AuthorKind.PERSON,
        minutes: int = 1,
    ) -> Message:
        before = self.messages[-1].sent_at if self.messages else MORNING
        message = Message(
            GUILD,
            channel_id,
            1_000 + len(self.messages),
            author_id,
            kind,
            text,
            before + timedelta(minutes=minutes),
            reply_to=reply_to.message_id if reply_to is not None else None,
        )
        self.messages.append(message)
        return message
