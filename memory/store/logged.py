"""What the log holds, and what was noted beside it."""

from memory.core.log_values import Kind
from memory.db.retention_declarations import Follows, Goes, How, InParts, Stays, TableDeclaration, columns

_TOMBSTONE = Stays("it is what keeps the message out, and holds ids alone")

_MADE_FROM_IT = (
    "receipts",
    "message_index",
    "stretches",
    "term_counts",
    "spellings",
    "days",
    "contexts",
    "histories",
)
"""Of a whole guild they go first: what few messages are left by then need not follow one by one."""

HELD = (
    TableDeclaration(
        table="chat_history",
        purpose="messages in channels the bot may view: text, author's id, channel, times, reply link, and with it"
        " names, types, sizes and descriptions of attachments, the text of embeds, polls and forwarded messages, names"
        " of stickers; never a file",
        until="the message is deleted on Discord, its channel or a role of its author is excluded, or the server's"
        " retention ends",
        columns=columns(
            ids="guild_id message_id channel_id parent_id reply_to seq",
            people="author_id",
            words="text extras",
            times="sent_at edited_at",
            states="author_kind imported",
        ),
        message=Goes("message_id = ANY({messages})"),
        member=InParts("author_id = {member} AND message_id <= {through}"),
        channel=InParts("(channel_id = ANY({channels}) OR parent_id = ANY({channels})) AND message_id <= {through}"),
        guild=Goes(after=_MADE_FROM_IT),
    ),
    TableDeclaration(
        table="tombstones",
        purpose="ids of deleted messages, and of answers of the bot that are not kept, so that they never return; no"
        " text",
        until="–",
        columns=columns(ids="guild_id message_id channel_id"),
        message=_TOMBSTONE,
        member=_TOMBSTONE,
        channel=_TOMBSTONE,
        guild=Goes(),
    ),
    TableDeclaration(
        table="closed_channels",
        purpose="ids of deleted channels and threads, so that nothing of them returns; no text",
        until="–",
        columns=columns(ids="guild_id channel_id"),
        message=_TOMBSTONE,
        member=_TOMBSTONE,
        channel=_TOMBSTONE,
        guild=Goes(),
    ),
    TableDeclaration(
        table="early_edits",
        purpose="the new text of a message whose edit arrived before the message itself, and its author's id",
        until="the message arrives or is deleted; a day at most",
        columns=columns(
            ids="guild_id message_id channel_id parent_id",
            people="author_id",
            words="text extras",
            times="edited_at",
            states="author_kind",
        ),
        message=Goes("message_id = ANY({messages})"),
        member=Goes("author_id = {member} AND message_id <= {through}"),
        channel=Goes("(channel_id = ANY({channels}) OR parent_id = ANY({channels})) AND message_id <= {through}"),
        guild=Goes(),
        counted=Kind.EARLY_EDITS,
    ),
    TableDeclaration(
        table="addressed",
        purpose="ids of messages that were said to the bot, so that they are not quoted as conversation, and whether"
        " each has its answer; no text",
        until="the message goes; a day later where the message itself is not kept",
        columns=columns(ids="guild_id message_id channel_id", states="intent unanswered"),
        message=Goes("message_id = ANY({messages})"),
        member=Follows("chat_history", How.MESSAGE),
        channel=Goes("channel_id = ANY({channels}) AND message_id <= {through}"),
        guild=Goes(),
        counted=Kind.ADDRESSED,
    ),
)
