"""What the index of recall holds. It follows the log message by message, by triggers, and of a whole guild at once."""

from collections.abc import Mapping

from memory.db.retention_declarations import Follows, Goes, Holds, How, Stays, TableDeclaration, columns

_WITH_THE_LOG = Follows("chat_history", How.TRIGGER)
_HOW_FAR = Stays("how far was read is true whatever became of what was read")
_WITH_ITS_MESSAGE = Follows("message_index", How.KEY)


def _indexed(table: str, purpose: str, held: Mapping[str, Holds]) -> TableDeclaration:
    return TableDeclaration(
        table=table,
        purpose=purpose,
        until="the message goes, in the same moment; made anew when it is edited",
        columns=held,
        message=_WITH_THE_LOG,
        member=_WITH_THE_LOG,
        channel=_WITH_THE_LOG,
        guild=Goes(),
    )


def _beside(table: str, purpose: str, held: Mapping[str, Holds]) -> TableDeclaration:
    return TableDeclaration(
        table=table,
        purpose=purpose,
        until="the message goes, in the same moment; made anew when it is edited",
        columns=held,
        message=_WITH_ITS_MESSAGE,
        member=_WITH_ITS_MESSAGE,
        channel=_WITH_ITS_MESSAGE,
        guild=_WITH_ITS_MESSAGE,
    )


HELD = (
    _indexed(
        "message_index",
        "the stems of a message's words, by which recall finds it",
        columns(
            ids="guild_id message_id channel_id stretch_id",
            people="author_id",
            words="terms",
            times="sent_at",
            numbers="length",
        ),
    ),
    _indexed(
        "term_counts",
        "in how many messages of each channel a stem occurs",
        columns(ids="guild_id channel_id", words="term", numbers="messages"),
    ),
    _indexed(
        "spellings",
        "the stems that occur on a server, to find what a mistyped word may have meant",
        columns(ids="guild_id", words="term"),
    ),
    _indexed(
        "stretches",
        "which messages belong to one stretch of talk: times and numbers, no text",
        columns(ids="guild_id stretch_id channel_id", times="first_at last_at", numbers="messages length"),
    ),
    _indexed(
        "index_channels",
        "how much of each channel is in the index, and in which languages; numbers, no text",
        columns(ids="guild_id channel_id", numbers="messages length stretches languages"),
    ),
    TableDeclaration(
        table="index_state",
        purpose="how far the index has come; numbers, no text",
        until="7 days after the bot left the server",
        columns=columns(
            ids="guild_id",
            numbers="words_through vectors_through next_through",
            states="vector_model next_model has_outdated",
        ),
        message=_HOW_FAR,
        member=_HOW_FAR,
        channel=_HOW_FAR,
        guild=Goes(),
    ),
    _indexed(
        "index_again",
        "ids of messages whose links were looked up, and which wait to be indexed again",
        columns(ids="guild_id message_id", numbers="times"),
    ),
    _beside(
        "message_vectors",
        "the meaning of a message as numbers, to be compared with that of a question",
        columns(ids="guild_id message_id channel_id", meaning="embedding", states="model"),
    ),
    _beside(
        "vectors_again",
        "ids of messages that wait for their meaning to be worked out anew",
        columns(ids="guild_id message_id", numbers="turn", states="model"),
    ),
)
