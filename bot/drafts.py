"""A reply before it is said: its words, and the channels they were drawn from.

Who may read a place can change while a reply is made, and also while it waits to be sent. So a draft is held against
its readers once more right before each call to Discord, and made anew if they may not read it any longer.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Optional

import discord

from memory.core.provenance import Evidence
from memory.places.view import Audience

MOST_LOOKS = 3
"""How often a reply is made anew because channels closed meanwhile."""


Button = discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]]


class Mark(StrEnum):
    """The reaction that stands for a reply: where we may not write, and for what we were away too long for."""

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
    """There was no text to send."""
    FORBIDDEN = "forbidden"
    """The bot may not write there, or the place is gone."""
    CHANGED = "changed"
    """Not sent: its readers may not read it any longer, or something that it repeats is gone."""


@dataclass(frozen=True, slots=True)
class Draft:
    words: str
    drawn_from: frozenset[int] = frozenset()
    """Channels that all its readers must be able to read."""
    mark: Mark = Mark.DONE
    button: Button | None = None
    choices: tuple[Button, ...] = ()
    """What its reader is asked to choose from."""
    handles: tuple[Button, ...] = ()
    """What can be done about what it says."""
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
    is_cut_off: bool = False
    """Made without the log, from what was heard last."""
    is_undone: bool = False
    """Memory could not be reached: it is still to be done."""
    instead: Optional["Draft"] = None
    """What to say when it may not be said and cannot be made anew, because what was asked for is done."""

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
