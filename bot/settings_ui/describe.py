"""The settings of a guild as text for its managers."""

from collections.abc import Collection, Sequence
from datetime import datetime

import discord

from bot.words.keys import Notice, Remind
from bot.words.voice import Voice
from memory.core.log_values import Consent, LogSettings, Removal
from memory.language.time_zones import time_in
from memory.models.prompt_data import one_line
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.settings import DigestRules, GuildSettings, Policy, SettingsChange, SummaryRules

_MODERATORS = {
    ModeratorsMay.NOTHING: Notice.MODERATORS_NOTHING,
    ModeratorsMay.REMOVE: Notice.MODERATORS_REMOVE,
}
_WORDS_FOR = {Consent.OPT_OUT: Notice.CONSENT_OPT_OUT, Consent.OPT_IN: Notice.CONSENT_OPT_IN}

CHANNEL, ROLE = "<#{}>", "<@&{}>"


def describe_settings(settings: GuildSettings, guild_id: int, voice: Voice, *, at_most: int | None = None) -> str:
    """`at_most` so many of each kind are named, and the others counted."""
    everywhere = voice.say(Notice.SPEAKS_EVERYWHERE)
    said = voice.say(
        Notice.SETTINGS,
        zone=settings.time_zone,
        hall=role_named(settings.hall_role_id, guild_id),
        speaks=listed(CHANNEL, settings.speaks_in, voice, at_most) or everywhere,
    )
    return "\n".join([said, describe_log(settings.log, voice, at_most=at_most), describe_rules(settings.facts, voice)])


PERSONA_SHOWN = 100
"""Characters of a persona among the other settings; `/settings persona` shows all of it."""


def describe_answers(settings: GuildSettings, voice: Voice) -> list[str]:
    rules = settings.answers
    wanted = Notice.SECOND_LOOK_YES if settings.second_look else Notice.SECOND_LOOK_NO
    taken = Notice.MEMORY_RULES_YES if rules.takes_memories else Notice.MEMORY_RULES_NO
    limit = Notice.HOURLY_RULES_NONE if rules.hourly_questions is None else Notice.HOURLY_RULES
    manner = Notice.PERSONA_IS if rules.persona else Notice.PERSONA_IS_NONE
    return [
        voice.say(Notice.SECOND_LOOK, wanted=voice.say(wanted)),
        voice.say(Notice.SESSION_RULES, minutes=rules.session_minutes, exchanges=rules.exchanges),
        voice.say(
            Notice.MEMORY_RULES,
            wanted=voice.say(taken),
            memories=rules.memories,
            importance=rules.least_importance,
        ),
        voice.say(limit, hourly=rules.hourly_questions),
        voice.say(manner, persona=one_line(rules.persona, PERSONA_SHOWN)),
    ]


def describe_summary_rules(rules: SummaryRules, voice: Voice) -> str:
    return voice.say(Notice.SUMMARY_RULES, state=summaries_are(rules, voice), how=summarised_how(rules, voice))


def summaries_are(rules: SummaryRules, voice: Voice) -> str:
    return voice.say(Notice.SUMMARY_RULES_ON if rules.is_on else Notice.SUMMARY_RULES_OFF)


def summarised_how(rules: SummaryRules, voice: Voice) -> str:
    if rules.policy is Policy.LEVELS:
        return voice.say(Notice.SUMMARY_RULES_LEVELS, turns=rules.turns)
    return voice.say(
        Notice.SUMMARY_RULES_ROLLING,
        first=rules.first,
        tokens=rules.first_tokens,
        again=rules.again,
        kept=rules.kept,
    )


def describe_digest(rules: DigestRules, voice: Voice) -> str:
    if rules.channel_id is None:
        return voice.say(Notice.DIGEST_RULES_OFF)
    names = voice.say(Remind.WEEKDAYS).split("/")
    chosen = sorted(rules.weekdays)[:1] if rules.weekly else sorted(rules.weekdays)
    days = voice.say(Notice.DIGEST_EVERY_DAY) if len(chosen) == len(names) else ", ".join(names[one] for one in chosen)
    return voice.say(
        Notice.DIGEST_RULES_WEEKLY if rules.weekly else Notice.DIGEST_RULES,
        channel=CHANNEL.format(rules.channel_id),
        days=days,
        hour=f"{rules.hour}:00",
        least=rules.least,
        channels=listed(CHANNEL, rules.channels, voice) or voice.say(Notice.DIGEST_ALL_CHANNELS),
    )


def describe_log(log: LogSettings, voice: Voice, *, at_most: int | None = None) -> str:
    none = voice.say(Notice.NONE)
    return voice.say(
        Notice.LOG_SETTINGS,
        consent=voice.say(_WORDS_FOR[log.consent]),
        kept=describe_retention(log, voice),
        summaries=describe_summaries(log, voice),
        facts=describe_keeping(log, voice),
        channels=listed(CHANNEL, log.excluded_channels, voice, at_most) or none,
        roles=listed(ROLE, log.excluded_roles, voice, at_most) or none,
    )


def describe_rules(rules: FactRules, voice: Voice) -> str:
    """About facts."""
    return voice.say(
        Notice.FACT_RULES,
        about_others=voice.say(Notice.ABOUT_OTHERS_YES if rules.about_others else Notice.ABOUT_OTHERS_NO),
        moderators=voice.say(_MODERATORS[rules.moderators_may]),
    )


def describe_retention(log: LogSettings, voice: Voice) -> str:
    return _kept_for(log.retention_days, voice)


def describe_summaries(log: LogSettings, voice: Voice) -> str:
    return _kept_for(log.summary_days, voice)


def describe_keeping(log: LogSettings, voice: Voice) -> str:
    """How long facts stay."""
    if log.fact_days is None:
        return voice.say(Notice.KEPT_UNTIL_FORGOTTEN)
    return voice.say(Notice.KEPT_AFTER_TELLING, count=log.fact_days)


def _kept_for(days: int | None, voice: Voice) -> str:
    return voice.say(Notice.KEPT_FOREVER) if days is None else voice.say(Notice.KEPT_DAYS, count=days)


def describe_removal(change: SettingsChange, voice: Voice) -> list[str]:
    """What saving settings took away; nothing, if it took nothing."""
    if not change.all_removed:
        return [voice.say(Notice.CLEANED_LATER)]
    return [voice.say(Notice.LOG_CLEANED, what=counted(change.removed, voice))] if change.removed else []


def counted(removal: Removal, voice: Voice) -> str:
    """Of each kind of which there is something."""
    kinds = {Notice.SO_MANY_MESSAGES: removal.messages, Notice.SO_MANY_FACTS: removal.facts}
    said = [voice.say(kind, count=count) for kind, count in kinds.items() if count]
    return ", ".join([*said, *([voice.say(Notice.REMOVAL_ELSEWHERE)] if removal.elsewhere else [])])


def role_named(role_id: int | None, guild_id: int) -> str:
    """Discord shows the mention of @everyone with one @ too many."""
    return "@everyone" if role_id in (None, guild_id) else ROLE.format(role_id)


def listed(mention: str, ids: Collection[int], voice: Voice, at_most: int | None = None) -> str:
    named = [mention.format(one) for one in sorted(ids)[:at_most]]
    rest = len(ids) - len(named)
    joined = ", ".join(named)
    return voice.say(Notice.AND_MORE, listed=joined, count=rest) if rest else joined


# What is said of a time zone that nobody knows.


MOST_NAMED = 5
LONGEST_ECHO = 60


def zone_objection(typed: str, near: Sequence[str], voice: Voice) -> str:
    """With those that may have been meant, or else how to find one."""
    echo = " ".join(typed.split())[:LONGEST_ECHO]
    safe = discord.utils.escape_mentions(discord.utils.escape_markdown(echo))
    said = [voice.say(Notice.ZONE_UNKNOWN, typed=safe)]
    if near:
        said.append(voice.say(Notice.ZONE_NEAR, zones=", ".join(f"`{zone}`" for zone in near[:MOST_NAMED])))
    else:
        said.append(voice.say(Notice.ZONE_HINT))
    return " ".join(said)


def zone_is(zone: str, now: datetime, voice: Voice) -> str:
    """To a member who has chosen it for themselves."""
    return voice.say(Remind.ZONE_IS, zone=zone, time=f"{time_in(zone, now):%H:%M}")
