"""Describes what is held, and what an erasure took away, for a phone: by kind, with numbers and since when."""

from collections.abc import Mapping

from discord.utils import format_dt

from bot.facts.memory_pages import audit_line
from bot.words import Notice, Voice
from memory.core.log_values import Consent, ErasureReport, Kind
from memory.policy.settings import LogSettings, retention_words
from memory.privacy.export_queries import Amount, HeldOnMember, Inventory, Stock

THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"

_SAID_AND_TOLD = frozenset((Stock.MESSAGES, Stock.FACTS_TOLD, Stock.FACTS_ABOUT, Stock.FACTS_OF_CHANNEL))
_MINE = {
    Stock.MESSAGES: Notice.HELD_MESSAGES,
    Stock.FACTS_TOLD: Notice.HELD_FACTS_TOLD,
    Stock.FACTS_ABOUT: Notice.HELD_FACTS_ABOUT,
    Stock.DAYS: Notice.HELD_DAYS,
    Stock.CONTEXTS: Notice.HELD_CONTEXTS,
    Stock.CHANNEL_SUMMARIES: Notice.HELD_CHANNEL_SUMMARIES,
    Stock.NAME_KEYS: Notice.HELD_NAMES,
    Stock.RECEIPTS: Notice.HELD_RECEIPTS,
    Stock.VERDICTS: Notice.HELD_VERDICTS,
    Stock.CHANGES: Notice.HELD_CHANGES,
    Stock.VETOES: Notice.HELD_VETOES,
    Stock.CATCH_UPS: Notice.HELD_CATCH_UPS,
    Stock.REMINDERS: Notice.HELD_REMINDERS,
    Stock.EVENTS: Notice.HELD_EVENTS,
}
_OF_A_CHANNEL = {
    Stock.MESSAGES: Notice.GONE_MESSAGES,
    Stock.FACTS_OF_CHANNEL: Notice.HELD_FACTS_HERE,
    Stock.DAYS: Notice.HELD_DAYS,
    Stock.CONTEXTS: Notice.HELD_CONTEXTS,
    Stock.CHANNEL_SUMMARIES: Notice.HELD_CHANNEL_SUMMARIES,
    Stock.RECEIPTS: Notice.HELD_RECEIPTS,
}
_GONE = {
    Kind.MESSAGES: Notice.GONE_MESSAGES,
    Kind.REPLIES: Notice.GONE_REPLIES,
    Kind.ADDRESSED: Notice.GONE_ADDRESSED,
    Kind.FACTS_TOLD: Notice.GONE_FACTS,
    Kind.FACTS_ABOUT: Notice.GONE_FACTS_FROM,
    Kind.FACTS_REPLACED: Notice.GONE_FACTS_REPLACED,
    Kind.SUMMARIES: Notice.GONE_SUMMARIES,
    Kind.CONTEXTS: Notice.GONE_CONTEXTS,
    Kind.VETOES: Notice.GONE_VETOES,
    Kind.CHANGES: Notice.GONE_CHANGES,
    Kind.RECEIPTS: Notice.GONE_RECEIPTS,
    Kind.AUDIT: Notice.GONE_AUDIT,
    Kind.REMINDERS: Notice.HELD_REMINDERS,
    Kind.NAMES: Notice.GONE_NAMES,
}
# What is a member's own, wherever it stood. To count the rest would count what rooms hold that they cannot read.
_GONE_OF_ME = {
    Kind.MESSAGES: Notice.GONE_YOUR_MESSAGES,
    Kind.ADDRESSED: Notice.GONE_ADDRESSED,
    Kind.FACTS_TOLD: Notice.GONE_YOUR_FACTS,
    Kind.VETOES: Notice.GONE_VETOES,
    Kind.REMINDERS: Notice.HELD_REMINDERS,
    Kind.NAMES: Notice.GONE_NAMES,
}
# What they told of others stays told.
_GONE_BY_OPTING_OUT = _GONE_OF_ME | {Kind.FACTS_TOLD: Notice.GONE_FACTS_OF_YOURSELF}


def describe_mine(mine: HeldOnMember, log: LogSettings, voice: Voice) -> str:
    """Tell a member all that they may know of what is held on them, and what they can do about it."""
    return "\n".join(
        [
            voice.say(Notice.HELD_TITLE),
            *_amounts(mine.held, _MINE, voice),
            voice.say(Notice.HELD_ELSEWHERE),
            "",
            voice.say(Notice.DECIDED_TITLE),
            *_decided(mine, log, voice),
            "",
            voice.say(Notice.LOOKS_TITLE),
            *_looks(mine, voice),
            "",
            *_kept(log, voice),
            "",
            voice.say(Notice.NEXT_TITLE),
            voice.say(Notice.NEXT_MINE),
        ]
    )


def describe_channel(held: Inventory, channel: str, log: LogSettings, voice: Voice) -> str:
    return "\n".join(
        [
            voice.say(Notice.CHANNEL_TITLE, channel=channel),
            *_amounts(held, _OF_A_CHANNEL, voice),
            "",
            *_kept(log, voice),
            "",
            voice.say(Notice.NEXT_TITLE),
            voice.say(Notice.CHANNEL_NEXT),
        ]
    )


def describe_gone_of_me(receipt: ErasureReport, voice: Voice) -> str:
    return "\n".join(
        [voice.say(Notice.ERASED), *_counted(receipt, _GONE_OF_ME, voice), voice.say(Notice.GONE_OF_OTHERS)]
    )


def describe_opted_out(receipt: ErasureReport, voice: Voice) -> str:
    """Tell a member who opted out what holds from now on, what went, and what did not."""
    return "\n".join(
        [
            voice.say(Notice.OPTED_OUT),
            *_counted(receipt, _GONE_BY_OPTING_OUT, voice),
            voice.say(Notice.GONE_OF_OTHERS),
            voice.say(Notice.OPTED_OUT_NEXT),
        ]
    )


def describe_gone_of_channel(receipt: ErasureReport, channel: str, voice: Voice) -> str:
    head = f"{voice.say(Notice.ERASED)} {voice.say(Notice.CHANNEL_GONE, channel=channel)}"
    count = receipt[Kind.RECEIPTS]
    taken_back = [voice.say(Notice.TAKING_BACK, count=grouped(count))] if count else []
    return "\n".join([head, *_gone(receipt, voice), *taken_back])


def describe_gone_of_guild(receipt: ErasureReport, server: str, voice: Voice) -> str:
    """List what went of a guild. Nothing is taken back on Discord by somebody who leaves it."""
    return "\n".join([voice.say(Notice.LEAVE_ERASED, server=server), *_gone(receipt, voice, all_kinds=True)])


def grouped(number: int) -> str:
    """Group the digits of a number (40 000), so that it reads as one number in every language."""
    return f"{number:,}".replace(",", THIN_SPACE)


def _amounts(held: Inventory, labels: Mapping[Stock, Notice], voice: Voice) -> list[str]:
    """Write a line for each kind of what was said and told; what was made of it shares one."""
    there = [(label, held.of(kind)) for kind, label in labels.items() if held.of(kind).count]
    lines = [
        f"• {voice.say(label)}: {grouped(amount.count)}{_more(amount, voice)}"
        for label, amount in there
        if amount.kind in _SAID_AND_TOLD
    ]
    rest = [
        f"{voice.say(label)}: {grouped(amount.count)}" for label, amount in there if amount.kind not in _SAID_AND_TOLD
    ]
    return [*lines, *([f"• {' · '.join(rest)}"] if rest else [])] or [voice.say(Notice.HELD_NOTHING)]


def _more(amount: Amount, voice: Voice) -> str:
    """Write in brackets from when to when something is held, and how many facts are not told to everyone."""
    said = []
    if amount.first is not None and amount.last is not None:
        first, last = format_dt(amount.first, "d"), format_dt(amount.last, "d")
        same = amount.first.date() == amount.last.date()
        said.append(
            voice.say(Notice.HELD_SINCE, when=first) if same else voice.say(Notice.HELD_SPAN, first=first, last=last)
        )
    if amount.withheld:
        said.append(voice.say(Notice.HELD_WITHHELD, count=grouped(amount.withheld)))
    if amount.over:
        said.append(voice.say(Notice.HELD_OVER, count=grouped(amount.over)))
    return f" ({', '.join(said)})" if said else ""


def _decided(mine: HeldOnMember, log: LogSettings, voice: Voice) -> list[str]:
    if mine.is_stored is None or mine.decided_at is None:
        everyone = log.consent is Consent.OPT_OUT
        lines = [voice.say(Notice.DECIDED_STORED if everyone else Notice.DECIDED_NOT_STORED)]
    else:
        word = Notice.DECIDED_IN if mine.is_stored else Notice.DECIDED_OUT
        lines = [voice.say(word, when=format_dt(mine.decided_at, "R"))]
    if mine.erased_at is not None:
        lines.append(voice.say(Notice.DECIDED_ERASED, when=format_dt(mine.erased_at, "R")))
    return [f"• {line}" for line in lines]


def _looks(mine: HeldOnMember, voice: Voice) -> list[str]:
    if not mine.looks.entries:
        return [f"• {voice.say(Notice.LOOKS_NONE)}"]
    lines = [audit_line(entry, voice, with_subject=False) for entry in mine.looks.entries]
    rest = mine.looks.in_all - len(mine.looks.entries)
    return [*lines, *([f"• … (+{grouped(rest)})"] if rest else [])]


def _kept(log: LogSettings, voice: Voice) -> list[str]:
    return [voice.say(Notice.KEPT_TITLE), voice.say(Notice.KEPT_EACH, **retention_words(log, voice.language))]


def _gone(receipt: ErasureReport, voice: Voice, *, all_kinds: bool = False) -> list[str]:
    labels = {kind: label for kind, label in _GONE.items() if all_kinds or kind is not Kind.RECEIPTS}
    return _counted(receipt, labels, voice) or [voice.say(Notice.ERASED_NOTHING)]


def _counted(receipt: ErasureReport, labels: Mapping[Kind, Notice], voice: Voice) -> list[str]:
    listed = [kind for kind in Kind if receipt[kind] and kind in labels]
    return [f"• {voice.say(labels[kind])}: {grouped(receipt[kind])}" for kind in listed]
