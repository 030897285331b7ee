"""Finds in the log which attachments are still to be read; what was read of them is kept with their messages."""

from collections.abc import Collection, Sequence

import orjson

from memory.core.values import Message, ReadAs
from memory.db.database import Database
from memory.language.text import repair
from memory.log.reading import message_of, not_pending_removal
from memory.log.store import log_transaction
from memory.recall.pieces import write_pieces
from memory.shared_files.values import SharedFile, unread_in


class FileStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def guilds_with_unread(self, guild_ids: Collection[int]) -> list[int]:
        """Find those of these guilds that have something to be read which they want to have read."""
        rows = await self._database.read("store.files.guilds", _GUILDS, list(guild_ids))
        return [row["guild_id"] for row in rows]

    async def unread(
        self, guild_id: int, wanted: Collection[ReadAs], but: Collection[int], most: int
    ) -> list[SharedFile]:
        """List what is to be read, of each kind the newest first, without these attachments."""
        found: list[SharedFile] = []
        for read_as in wanted:
            rows = await self._database.read("store.files.unread", _UNREAD[read_as], guild_id, most)
            files = [file for row in rows for file in unread_in(message_of(row), [read_as])]
            found += [file for file in files if file.attachment_id not in but]
        return found

    async def messages(self, guild_id: int, message_ids: Collection[int]) -> list[Message]:
        """Read messages that may be told, for what is in their files. Whoever asks has seen them."""
        rows = await self._database.read("store.files.messages", _MESSAGES, guild_id, list(message_ids))
        return [message_of(row) for row in rows]

    async def keep(self, file: SharedFile, words: str, rows: Sequence[object]) -> bool:
        """Keep what was read, if the attachment is still there and unread; with no words, that there was nothing.

        Nobody edited the message, so it keeps its place in the order of arrival, as if its links were looked up.
        """
        message = file.message
        read = orjson.dumps({"as": file.read_as, "words": repair(words)}).decode()
        async with log_transaction(self._database, "store.files.keep", file.guild_id) as connection:
            done = await connection.execute(_KEEP, file.guild_id, message.message_id, str(file.attachment_id), read)
            is_kept = done.endswith(" 1")
            if is_kept and rows:
                await write_pieces(
                    connection, file.guild_id, message.channel_id, message.message_id, file.attachment_id, rows
                )
        return is_kept

    async def shown_since(self, guild_id: int, since: object) -> int:
        """Count the pictures and voice messages that models were shown since a moment."""
        [row] = await self._database.read("store.files.shown", _SHOWN, guild_id, since)
        return int(row["count"])


def _is_unread(read_as: ReadAs) -> str:
    """Write the condition that an attachment is unread, word for word as the log's partial indexes have it."""
    return f"""extras @? '$.attachments[*] ? (@.unread == "{read_as}")'"""


def _wants(read_as: ReadAs, name: str, by_default: str) -> str:
    return f"""
    (coalesce((files ->> '{name}')::boolean, {by_default}) AND EXISTS (
        SELECT FROM chat_history AS said WHERE said.guild_id = guilds.guild_id AND {_is_unread(read_as)}))
    """


_GUILDS = f"""
SELECT guild_id FROM guilds WHERE guild_id = ANY ($1) AND (
    {_wants(ReadAs.TEXT, "texts", "true")} OR {_wants(ReadAs.PICTURE, "pictures", "false")}
    OR {_wants(ReadAs.VOICE, "voices", "false")})
"""  # noqa: S608 - made of constants

_UNREAD = {
    read_as: f"""
    SELECT * FROM chat_history AS said WHERE guild_id = $1 AND {_is_unread(read_as)} AND {not_pending_removal("said")}
    ORDER BY message_id DESC LIMIT $2
    """  # noqa: S608 - made of constants
    for read_as in ReadAs
}

_MESSAGES = f"""
SELECT * FROM chat_history AS said
WHERE guild_id = $1 AND message_id = ANY ($2) AND {not_pending_removal("said")}
"""  # noqa: S608 - made of constants

_KEEP = f"""
UPDATE chat_history AS said SET extras = jsonb_set(extras, '{{attachments}}', (
    SELECT jsonb_agg(CASE WHEN file ->> 'id' = $3 THEN (file - 'unread') || jsonb_build_object('read', $4::text::jsonb)
        ELSE file END ORDER BY place)
    FROM jsonb_array_elements(extras -> 'attachments') WITH ORDINALITY AS files (file, place)))
WHERE guild_id = $1 AND message_id = $2 AND {not_pending_removal("said")} AND EXISTS (
    SELECT FROM jsonb_array_elements(extras -> 'attachments') AS file WHERE file ->> 'id' = $3 AND file ? 'unread')
"""  # noqa: S608 - made of constants

_SHOWN = """
SELECT count(*) AS count FROM model_calls
WHERE guild_id = $1 AND at >= $2 AND purpose IN ('see', 'hear') AND outcome <> 'unavailable'
"""
