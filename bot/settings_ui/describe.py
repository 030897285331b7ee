"""Describes the settings of a guild to its managers, and what is wrong with a time zone that somebody typed."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import discord

from bot.words import Notice, Remind, Voice
from memory.core.log_values import Removal
from memory.language.time_zones import time_in
from memory.models.prompt_data import one_line
from memory.policy.setting_fields import FieldKind, Setting, SettingField
from memory.policy.settings import FIELDS, GROUPS, GuildSettings, Policy, SettingsChange, SummaryRules

CHANNEL, ROLE = "<#{}>", "<@&{}>"
PERSONA_SHOWN = 100
"""Characters of a persona among the other settings; `/settings persona` shows all of it."""
_OF_POLICY = {
    Policy.ROLLING: ("summaries.first", "summaries.first_tokens", "summaries.again", "summaries.kept"),
    Policy.LEVELS: ("summaries.turns",),
}


def describe_settings(
    settings: GuildSettings, guild_id: int, voice: Voice, groups: Iterable[str] = GROUPS, *, at_most: int | None = None
) -> list[str]:
    """List settings under the headings of their groups. `at_most` so many channels and roles are named."""
    lines = []
    for group in groups:
        lines.append(f"**{voice.say(Setting[f'GROUP_{group}'.upper()])}**")
        lines += [describe_setting(one, settings, guild_id, voice, at_most=at_most) for one in GROUPS[group]]
    return lines


def describe_setting(
    one: SettingField, settings: GuildSettings, guild_id: int, voice: Voice, *, at_most: int | None = None
) -> str:
    def show(kind: FieldKind, chosen: Sequence[str]) -> str:
        if kind is FieldKind.TEXT:
            return f"“{one_line(chosen[0], PERSONA_SHOWN)}”"
        if kind is FieldKind.NAMES:
            return _joined([one_line(name, PERSONA_SHOWN) for name in chosen], voice, at_most)
        if kind in (FieldKind.ROLE, FieldKind.ROLES):
            return _joined([role_named(int(role), guild_id) for role in chosen], voice, at_most)
        return listed(CHANNEL, list(map(int, chosen)), voice, at_most)

    return f"• {one.label(voice.language)}: {one.said(voice.language, one.of(settings), show)}"


def describe_summary_rules(rules: SummaryRules, voice: Voice) -> str:
    """Say in one line whether and how channels are summed up, by the numbers that matter for it."""
    paths = ("summaries.is_on", "summaries.policy", *_OF_POLICY.get(rules.policy, ()))
    settings = GuildSettings(summaries=rules)
    return "; ".join(describe_setting(FIELDS[path], settings, 0, voice).removeprefix("• ") for path in paths)


def describe_removal(change: SettingsChange, voice: Voice) -> list[str]:
    """Say what saving settings took away; nothing, if it took nothing."""
    if not change.all_removed:
        return [voice.say(Notice.CLEANED_LATER)]
    return [voice.say(Notice.LOG_CLEANED, what=counted(change.removed, voice))] if change.removed else []


def counted(removal: Removal, voice: Voice) -> str:
    """Count what a removal takes, by each kind of which there is something."""
    kinds = {Notice.SO_MANY_MESSAGES: removal.messages, Notice.SO_MANY_FACTS: removal.facts}
    said = [voice.say(kind, count=count) for kind, count in kinds.items() if count]
    return ", ".join([*said, *([voice.say(Notice.REMOVAL_ELSEWHERE)] if removal.elsewhere else [])])


def role_named(role_id: int | None, guild_id: int) -> str:
    """Name a role; Discord shows the mention of @everyone with one @ too many."""
    return "@everyone" if role_id in (None, guild_id) else ROLE.format(role_id)


def listed(mention: str, ids: Collection[int], voice: Voice, at_most: int | None = None) -> str:
    return _joined([mention.format(one) for one in sorted(ids)], voice, at_most)


def _joined(named: Sequence[str], voice: Voice, at_most: int | None) -> str:
    joined, rest = ", ".join(named[:at_most]), len(named[at_most:]) if at_most is not None else 0
    return voice.say(Notice.AND_MORE, listed=joined, count=rest) if rest else joined


# What is said of a time zone that nobody knows.


MOST_NAMED = 5
LONGEST_ECHO = 60


def zone_objection(typed: str, near: Sequence[str], voice: Voice) -> str:
    """Object to a time zone, with those that may have been meant or how to find one."""
    echo = " ".join(typed.split())[:LONGEST_ECHO]
    safe = discord.utils.escape_mentions(discord.utils.escape_markdown(echo))
    said = [voice.say(Notice.ZONE_UNKNOWN, typed=safe)]
    if near:
        said.append(voice.say(Notice.ZONE_NEAR, zones=", ".join(f"`{zone}`" for zone in near[:MOST_NAMED])))
    else:
        said.append(voice.say(Notice.ZONE_HINT))
    return " ".join(said)


def zone_is(zone: str, now: datetime, voice: Voice) -> str:
    """Tell a member which time zone they have chosen."""
    return voice.say(Remind.ZONE_IS, zone=zone, time=f"{time_in(zone, now):%H:%M}")
