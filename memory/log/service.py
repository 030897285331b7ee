"""What others ask of the log: to take messages, edits and deletions in, and how far it was read."""

from collections.abc import Callable, Collection, Sequence

from memory.core.clock import Clock
from memory.core.log_values import Reconciled, Unanswered
from memory.core.values import Message, MessageEdit
from memory.db.database import Database
from memory.language.detect import Language
from memory.log.events import ChannelDeletion, Deletion
from memory.log.ingest import Ingest
from memory.log.reading import MessageStore, ProgressStore
from memory.places.mirror import PlaceMirror


class Log(ProgressStore):
    """The log as others use it: what goes into it, and how far each of its channels has been read."""

    def __init__(
        self, database: Database, ingest: Ingest, messages: MessageStore, place_mirror: PlaceMirror, clock: Clock
    ) -> None:
        super().__init__(database, clock)
        self._ingest = ingest
        self._messages = messages
        self._place_mirror = place_mirror

    def put_message(self, message: Message) -> None:
        """Queue it, to be written within moments; where there is no room it is left out, and its channel read again."""
        self._ingest.put(message)

    def language_last_spoken(self, message: Message) -> Language | None:
        """By its author in the same place, as far as it is at hand."""
        return self._ingest.recent.language_last_spoken(message)

    async def edit_message(self, edit: MessageEdit) -> None:
        self._ingest.put(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        self._ingest.put(Deletion(guild_id, channel_id, frozenset(message_ids)))

    async def delete_channel(self, guild_id: int, channel_id: int) -> None:
        """Delete a channel or thread, with all that was said in it and in its own threads."""
        self._place_mirror.no_place(guild_id, channel_id)
        self._ingest.put(ChannelDeletion(guild_id, channel_id))

    async def settled(self, guild_id: int | None = None) -> None:
        """Until everything that was put into the log before, of one guild or of all, has been committed or given up."""
        await self._ingest.settled(guild_id)

    def on_database_return(self, callback: Callable[[int], None]) -> None:
        """Call back whenever the log of a guild can be written again after it could not: messages have been missed."""
        self._ingest.on_database_return(callback)

    def on_left_out(self, callback: Callable[[int, int], None]) -> None:
        """Call back with guild and channel when the log had no room for a message, and the channel has to be read."""
        self._ingest.on_left_out(callback)

    def channel_is_live(self, guild_id: int, channel_id: int) -> bool:
        """Catch-up of a channel has finished; False if messages were missed meanwhile and it has to read on."""
        return self._ingest.live.begin(guild_id, channel_id)

    def no_channel_is_live(self, guild_id: int | None = None) -> None:
        """A new session, or a guild that comes back: there may be holes before what arrives now."""
        self._ingest.live.end(guild_id)

    async def store_page(
        self,
        guild_id: int,
        channel_id: int,
        messages: Sequence[Message],
        *,
        through: int | None = None,
        backfilled_to: int | None = None,
        backfill_done: bool = False,
    ) -> int:
        """Store a page of history and how far it brings the channel, in one transaction; how many were new."""
        return await self._ingest.store_page(
            guild_id,
            channel_id,
            messages,
            through=through,
            backfilled_to=backfilled_to,
            backfill_done=backfill_done,
        )

    async def reconcile(
        self, guild_id: int, channel_id: int, returned: Sequence[Message], ids: Collection[int] = ()
    ) -> Reconciled:
        """Compare the log with what Discord returned of a channel without a gap: edits, deletions, missing messages.

        `ids` are those of messages that were returned, too, and are not to be stored.
        """
        return await self._ingest.reconcile(guild_id, channel_id, returned, ids)

    async def stored_between(self, guild_id: int, channel_id: int, *, above: int, below: int, limit: int) -> list[int]:
        """Ids of a channel's messages in the log, the oldest first; neither `above` nor `below` is among them."""
        return await self._messages.ids_between(guild_id, channel_id, above=above, below=below, limit=limit)

    async def ours_among(self, guild_id: int, message_ids: Collection[int]) -> frozenset[int]:
        """Those of these messages that we said ourselves."""
        return await self._messages.ours_among(guild_id, message_ids)

    async def unanswered(self, guild_id: int, channel_id: int) -> list[Unanswered]:
        """What was said to us in a channel and has no reply, the oldest first."""
        return await self._messages.unanswered(guild_id, channel_id)

    async def note_owed(self, guild_id: int, message_id: int) -> None:
        """What a message asks for was carried out, or cannot be, and its reply is owed."""
        await self._messages.note_owed(guild_id, message_id)

    async def note_answered(self, guild_id: int, message_ids: Collection[int]) -> None:
        """There is nothing left to do about these, whatever came of them."""
        await self._messages.note_answered(guild_id, message_ids)
