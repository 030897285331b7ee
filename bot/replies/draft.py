"""Holds a reply before it is said: its words, and the channels they were drawn from.

Who may read a place can change while a reply is made, and also while it waits to be sent. So a draft is held against
its readers once more right before each call to Discord, and made anew if they may not read it any longer.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Optional, Self

import discord

from bot.replies.buttons import ReplyButton
from memory.core.provenance import Evidence
from memory.db.errors import StoreError
from memory.language.text import fold
from memory.manager import MemoryManager
from memory.places.view import Audience

MOST_LOOKS = 3
"""How often a reply is made anew because channels closed meanwhile."""


class Mark(StrEnum):
    """Stands for a reply as a reaction: where we may not write, and for what we were away too long for."""

    DONE = "✅"
    NOT_DONE = "❓"
    FAILED = "⚠️"
    ASK_PRIVATELY = "🤐"
    NOD = "👋"
    TOO_MUCH = "⏳"
    """Also where we may write: so much waits already that this is left alone."""
    MISSED = "💤"


class Sent(StrEnum):
    DELIVERED = "delivered"
    NOTHING = "nothing"
    """There was no text to send, or nobody left to answer."""
    FORBIDDEN = "forbidden"
    """The bot may not write there, or the place is gone."""
    CHANGED = "changed"
    """Not sent: its readers may not read it any longer, or something that it repeats is gone."""


# A reply as one card that reads well on a phone: blocks of text with lines between them, some with a button beside
# them. Discord calls it a layout (Components V2); it takes the place of plain text and embeds.


MOST_CHARACTERS = 4_000
"""Of all blocks together."""


@dataclass(frozen=True, slots=True)
class Block:
    text: str
    button: ReplyButton | None = None
    """Stands beside the first line, which is a heading then."""


def layout_of(blocks: Sequence[Block], buttons: Sequence[ReplyButton] = ()) -> discord.ui.LayoutView:
    """Lay out a card; the buttons that belong to no block stand last."""
    items: list[discord.ui.Item[Any]] = []
    for block in blocks:
        items += [discord.ui.Separator()] if items else []
        heading, _, lines = block.text.partition("\n")
        if block.button is None:
            items.append(discord.ui.TextDisplay(block.text))
        else:
            # Beside the heading alone: on a phone the lines need all the room there is.
            items += [discord.ui.Section(heading, accessory=block.button), discord.ui.TextDisplay(lines)]
    if buttons:
        items.append(discord.ui.ActionRow(*buttons))
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*items))
    return view


def fits(blocks: Sequence[Block]) -> bool:
    return sum(len(block.text) for block in blocks) <= MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class Draft:
    words: str
    drawn_from: frozenset[int] = frozenset()
    """Channels that all its readers must be able to read."""
    mark: Mark = Mark.DONE
    buttons: tuple[ReplyButton, ...] = ()
    blocks: tuple[Block, ...] = ()
    """Of a reply that is one card; its words are what they say."""
    repeats_words: bool = False
    """What its reader said has to stand under it: it was a command, and is read from there when they have chosen."""
    evidence: Evidence | None = None
    """What it was made from. None: it tells nothing of memory, and repeats nothing of what it answers."""
    is_unasked: bool = False
    """What it answers is gone: nothing is said, unless something of ours stands there already."""
    lapses: bool = False
    """It names what was forgotten, for as long as that can be undone."""
    only_reads: bool = False
    """Nothing was done for it, so that it can be made anew whenever that is better than to say it."""
    made_during_outage: bool = False
    """Made without the log, from what was heard last."""
    is_undone: bool = False
    """Memory could not be reached: it is still to be done."""
    aloud: Optional["Draft"] = None
    """What is said in the place besides, where one reader alone sees this."""
    instead: Optional["Draft"] = None
    """What to say when it may not be said and cannot be made anew, because what was asked for is done."""

    @classmethod
    def of_card(cls, blocks: Sequence[Block], drawn_from: frozenset[int], evidence: Evidence | None = None) -> Self:
        words = "\n".join(block.text for block in blocks)
        return cls(words, drawn_from, blocks=tuple(blocks), evidence=evidence, only_reads=evidence is not None)

    def suits(self, audience: Audience) -> bool:
        return self.drawn_from <= audience.sources


Make = Callable[[Audience], Awaitable[Draft]]
Readers = Callable[[], Audience]
Say = Callable[[Draft, Callable[[], bool]], Awaitable[Sent]]


async def deliver(make: Make, readers: Readers, say: Say) -> tuple[Draft, Sent]:
    """Make a draft for the readers of this moment and say it while they may read it.

    `say` asks its second argument right before every call to Discord.
    """
    for _ in range(MOST_LOOKS):
        draft, sent = await _say_first_fitting(await make(readers()), readers, say)
        if sent is not Sent.CHANGED:
            return draft, sent
    return await _say_first_fitting(await make(readers().alone()), readers, say)


async def _say_first_fitting(draft: Draft, readers: Readers, say: Say) -> tuple[Draft, Sent]:
    current = draft
    while True:
        sent = await say(current, partial(_is_readable, current, readers))
        if sent is not Sent.CHANGED or current.instead is None:
            return current, sent
        current = current.instead


def _is_readable(draft: Draft, readers: Readers) -> bool:
    return draft.suits(readers())


# The reader of what answers an interaction so that nobody else sees it.


def sole_reader(memory: MemoryManager, interaction: discord.Interaction) -> Audience:
    """Find what one person can read now. Where Discord tells of no role changes, the interaction brings their roles."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is remembered is asked for in a guild")
    role_ids = None
    if not memory.place_mirror.view(interaction.guild_id).is_open and isinstance(interaction.user, discord.Member):
        role_ids = [role.id for role in interaction.user.roles if not role.is_default()]
    return memory.places.audience_for(interaction.guild_id, interaction.channel_id, interaction.user.id, role_ids)


def knows_who_reads(reader: Audience) -> bool:
    """Say whether it is known who sees what: else nothing but the place itself could be shown, and that would look like
    all there is."""
    return reader.version > 0


# Where managers let us write.


logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0


class SpeakingPlaces:
    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self._known: dict[int, frozenset[int]] = {}

    async def include(self, guild_id: int, *places: int | None) -> bool:
        """Say whether we may write in one of these places: a thread belongs to its channel.

        While the database is away the last word of the managers holds. Without any we may speak: that the memory
        cannot be reached is worth saying, and most guilds set no bounds.
        """
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                self._known[guild_id] = (await self._memory.privacy.settings(guild_id)).speaks_in
        except (StoreError, TimeoutError) as error:
            logger.info("could not check again where to speak", extra={"reason": type(error).__name__})
        allowed = self._known.get(guild_id, frozenset())
        return not allowed or not allowed.isdisjoint(places)


# Where a member may write. What the bot posts for a member says what they could have said there themselves.


def may_write(place: object, allowed: discord.Permissions) -> bool:
    """Say whether these permissions allow to write; discord.py and Discord take them away in a time-out."""
    if isinstance(place, discord.Thread):
        return allowed.send_messages_in_threads and (allowed.manage_threads or not place.locked)
    return allowed.send_messages


# The channels and threads that somebody can read, by the names Discord has for them.
#
# Whatever they cannot read is nowhere looked at, so nothing that is said or offered here depends on it.


MOST_OFFERED = 25
LONGEST_NAME = 100
_ID = re.compile(r"<#(\d{1,20})>|(\d{15,20})|https://(?:\w+\.)?discord(?:app)?\.com/channels/\d+/(\d{1,20})(?:/\d+)?")

Place = discord.abc.GuildChannel | discord.Thread


def named(guild: discord.Guild, audience: Audience, typed: str) -> frozenset[int]:
    """Find the ids of the places that are meant: by id, mention, link or name; several may have the same name."""
    by_id = _ID.fullmatch(typed.strip())
    if by_id is not None:
        meant = int(next(group for group in by_id.groups() if group))
        return audience.sources & {meant}
    wanted = _key(typed)
    return frozenset(
        place.id for place in _readable(guild, audience) if wanted in (_key(place.name), _key(_path(place, audience)))
    )


def offered(guild: discord.Guild, audience: Audience, typed: str) -> list[tuple[str, int]]:
    """List names with ids, those that begin with what was typed first; nothing typed, the place itself and the rest."""
    wanted = _key(typed)
    found: list[tuple[tuple[bool, bool, str], str, int]] = []
    for place in _readable(guild, audience):
        path = _path(place, audience)
        if wanted in _key(path):
            order = (place.id != audience.place_id, not _key(place.name).startswith(wanted), path.casefold())
            found.append((order, path[:LONGEST_NAME], place.id))
    return [(name, place_id) for _, name, place_id in sorted(found)[:MOST_OFFERED]]


def _readable(guild: discord.Guild, audience: Audience) -> Iterator[Place]:
    for place_id in audience.sources:
        place = guild.get_channel_or_thread(place_id)
        if place is not None:
            yield place


def _path(place: Place, audience: Audience) -> str:
    """Write the name of a place; a thread is told with its channel."""
    parent = place.parent if isinstance(place, discord.Thread) else None
    if parent is None or parent.id not in audience.sources:
        return f"#{place.name}"
    return f"#{parent.name} › {place.name}"


def _key(name: str) -> str:
    return fold(name).strip().removeprefix("#")
