"""Channels whose catch-up has finished, so that what arrives live continues what is stored without a hole."""

from collections.abc import Iterable, Sequence

from memory.core.values import Message


class LiveChannels:
    def __init__(self) -> None:
        self._live: dict[int, set[int]] = {}
        self._missed: dict[tuple[int, int], int] = {}

    def begin(self, guild_id: int, channel_id: int) -> bool:
        """Not if messages were missed after catch-up had read past them: then it has to read again."""
        if (guild_id, channel_id) in self._missed:
            return False
        self._live.setdefault(guild_id, set()).add(channel_id)
        return True

    def is_live(self, guild_id: int, channel_id: int) -> bool:
        return channel_id in self._live.get(guild_id, ())

    def end(self, guild_id: int | None = None) -> None:
        if guild_id is None:
            self._live.clear()
        else:
            self._live.pop(guild_id, None)

    def end_channels(self, guild_id: int, channel_ids: Iterable[int]) -> None:
        self._live.get(guild_id, set()).difference_update(channel_ids)

    def reached(self, guild_id: int, messages: Sequence[Message]) -> dict[int, int]:
        """How far each live channel has come with these messages."""
        live = self._live.get(guild_id)
        if not live:
            return {}
        reached: dict[int, int] = {}
        for message in messages:
            channel_id = message.channel_id
            if channel_id in live and message.message_id > reached.get(channel_id, 0):
                reached[channel_id] = message.message_id
        return reached

    def missed(self, messages: Iterable[Message]) -> None:
        """These will not be stored unless catch-up reads them."""
        for message in messages:
            place = (message.guild_id, message.channel_id)
            self._missed[place] = max(message.message_id, self._missed.get(place, 0))
            self._live.get(message.guild_id, set()).discard(message.channel_id)

    def read_through(self, guild_id: int, channel_id: int, through: int) -> None:
        """Catch-up has stored everything up to this message."""
        if self._missed.get((guild_id, channel_id), through + 1) <= through:
            del self._missed[guild_id, channel_id]
