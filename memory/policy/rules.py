"""Judges whether a message may be stored: one pure rule for live events, catch-up, back-fill and import.

The insert asks the same of the tables once more (`memory.policy.store.REFUSALS`), because a process may know an older
policy than the one in force.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from memory.core.log_values import Consent
from memory.core.values import AuthorKind, Message, speaker_key

WHOLE_GUILD = 0
"""In the place of a channel: all of them. Discord numbers none so."""


class Verdict(StrEnum):
    ADMITTED = "admitted"
    EXCLUDED_CHANNEL = "excluded channel"
    EXCLUDED_ROLE = "excluded role"
    NO_CONSENT = "no consent"
    ERASED = "erased"
    TOO_OLD = "too old"
    LEFT_OUT = "name left out"
    ANSWER = "answer to what is not kept"


@dataclass(frozen=True, slots=True)
class Policy:
    """Holds what a guild and its members have decided about the log."""

    consent: Consent = Consent.OPT_OUT
    opted_out: frozenset[int] = frozenset()
    opted_in: frozenset[int] = frozenset()
    erased_through: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Of a member, nothing up to this message."""
    channels_erased_through: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Of a channel with its threads, nothing up to this message; `WHOLE_GUILD` stands for all channels."""
    excluded_channels: frozenset[int] = frozenset()
    """Channels, and with them their threads."""
    excluded_authors: frozenset[int] = frozenset()
    """Those who have an excluded role."""
    left_out: frozenset[str] = frozenset()
    """Names of speakers behind webhooks, as `speaker_key` has them."""
    keep_since: datetime | None = None
    """The horizon of retention."""


def may_store(message: Message, policy: Policy) -> Verdict:
    """Judge whether a message may be stored. Deleted ones are no question of policy: their tombstones keep them out."""
    if message.channel_id in policy.excluded_channels or message.parent_id in policy.excluded_channels:
        return Verdict.EXCLUDED_CHANNEL
    if policy.channels_erased_through and message.message_id <= _emptied_through(message, policy):
        return Verdict.ERASED
    refusal = _refusal_of(message.author_id, message.message_id, policy)
    if refusal is not None and (refusal is not Verdict.NO_CONSENT or message.author_kind is AuthorKind.PERSON):
        return refusal
    if policy.left_out and message.speaker is not None and speaker_key(message.speaker) in policy.left_out:
        return Verdict.LEFT_OUT
    if policy.keep_since is not None and message.sent_at < policy.keep_since:
        return Verdict.TOO_OLD
    answered = message.answers
    # What we reply may repeat the words it replies to: it is stored only where those may be.
    if answered is not None and _refusal_of(answered.author_id, answered.message_id, policy) is not None:
        return Verdict.ANSWER
    return Verdict.ADMITTED


def _refusal_of(author_id: int, message_id: int, policy: Policy) -> Verdict | None:
    """Find what keeps a person's words out, said in that message, wherever that was."""
    if author_id in policy.excluded_authors:
        return Verdict.EXCLUDED_ROLE
    if message_id <= policy.erased_through.get(author_id, -1):
        return Verdict.ERASED
    said_yes = author_id in policy.opted_in if policy.consent is Consent.OPT_IN else author_id not in policy.opted_out
    return None if said_yes else Verdict.NO_CONSENT


def _emptied_through(message: Message, policy: Policy) -> int:
    places = (message.channel_id, message.parent_id, WHOLE_GUILD)
    return max(policy.channels_erased_through.get(place, -1) for place in places if place is not None)
