"""Turns outcomes of memory into what the bot says itself, in the language it was spoken to.

The sentences stand in `memory/language/words`; here is which of them fits what happened. The words of members only ever
fill a placeholder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

import discord
from discord import app_commands

from memory.core.outcomes import (
    AlreadyKnown,
    Entitled,
    ForgetOutcome,
    Forgotten,
    ForgottenAll,
    KnownBetter,
    Limit,
    MayNotForget,
    NothingFound,
    NothingToForget,
    NothingToRemember,
    NotToldOfOthers,
    Reach,
    Refusal,
    Remembered,
    RememberOutcome,
    SourceNotKept,
    SubjectOptedOut,
    ToldEnough,
    TooLong,
    UnclearWhat,
    UnclearWho,
    Wait,
    Withdrawn,
)
from memory.core.values import Category, Fact, Member
from memory.language.detect import Language
from memory.language.wording import SentenceKey, wording
from memory.models.prompt_data import one_line, statement_line
from memory.policy.setting_fields import Setting

# The keys of what the bot says. The sentences stand in `memory/language/words`, each under the name of its class.


class Notice(SentenceKey):
    """Names what commands say, in the setup and on what they show."""


class Slash(SentenceKey):
    """Names what Discord shows of slash commands while one types."""


class Phrase(SentenceKey):
    """Names what the bot says when it is spoken to, and on its buttons."""


class Remind(SentenceKey):
    """Names what the bot says about reminders."""


def described(key: Slash | Category | Setting) -> app_commands.locale_str:
    """Say what a slash command does, in the language of whoever looks at it. Its name is English for all."""
    return app_commands.locale_str(wording(Language.EN, key), key=key)


LONGEST_QUOTE = 300
LONGEST_FACT = 4_000
"""No fact is as long: none is shortened."""
MOST_LISTED = 10
MOST_TOLD = 25
"""What one telling says is shown in full, as it was kept."""
LONGEST_IN_SECONDS = 90

_WHO_MAY_KNOW: dict[Reach, tuple[Phrase, ...]] = {
    Reach.HALL: (),
    Reach.PLACE: (Phrase.STAYS_HERE,),
    Reach.PLACE_AGAINST_THE_WISH: (Phrase.STAYS_HERE_ALL_THE_SAME,),
    Reach.EVERYWHERE: (Phrase.EVERYONE_MAY_KNOW,),
}
_WHO = {
    Entitled.SUBJECT: Phrase.WHO_IS_MEANT,
    Entitled.TELLER: Phrase.WHO_TOLD,
    Entitled.MAKER: Phrase.WHO_DID_IT,
    Entitled.MODERATORS: Phrase.WHO_MODERATES,
    Entitled.MANAGERS: Phrase.WHO_MANAGES,
}


def language_of_locale(locale: str) -> Language:
    """Find our language for Discord's `en-GB`, `de`, `es-419` …; what we do not speak becomes English."""
    try:
        return Language(locale.split("-")[0].lower())
    except ValueError:
        return Language.EN


class Named(Protocol):
    """Stands for somebody, as we or as Discord know them."""

    @property
    def display_name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Voice:
    """Holds the bot's manner of speaking for one reply."""

    language: Language
    bot_name: str

    def say(self, phrase: Phrase | Notice | Remind | Setting, **values: object) -> str:
        return wording(self.language, phrase, bot=self.bot_name, **values)

    def who(self, who_may: Sequence[Entitled]) -> str:
        """Name those who may do something, within a sentence."""
        *first, last = [self.say(_WHO[one]) for one in who_may]
        return self.say(Phrase.OR, first=", ".join(first), last=last) if first else last

    def told(self, outcome: RememberOutcome) -> str:
        match outcome:
            case Remembered(fact=fact, subject=subject, reach=reach, others=others, replaced=replaced, also=also):
                if also:
                    kept = self.say(Phrase.REMEMBERED_SEVERAL, facts=listed([fact, *also], MOST_TOLD))
                elif subject is None:
                    kept = self.say(Phrase.REMEMBERED_ABOUT_SERVER, fact=told_as(fact))
                else:
                    names = ", ".join(name_of(member) for member in (subject, *others))
                    kept = self.say(Phrase.REMEMBERED, name=names, fact=told_as(fact))
                instead = [self.say(Phrase.REPLACED, facts=listed(replaced))] if replaced else []
                # Who may know it stands last: a button under it may take that line away.
                return "\n".join([kept, *instead, *(self.say(phrase) for phrase in _WHO_MAY_KNOW[reach])])
            case KnownBetter(fact=fact, subject=subject):
                return self.say(Phrase.KNOWN_BETTER, name=name_of(subject), fact=told_as(fact))
            case AlreadyKnown(fact=fact, change_id=change_id, also=also):
                known = Phrase.ALREADY_KNOWN if change_id is None else Phrase.CONFIRMED_BY_TELLING
                return self.say(known, fact=" · ".join(told_as(one) for one in (fact, *also)))
            case NotToldOfOthers(refusal=refusal, subject=subject):
                why = Phrase.NOT_ABOUT_OTHERS if refusal is Refusal.GUILD else Phrase.DENIED_BEFORE
                return self.say(why, name=name_of(subject))
            case SubjectOptedOut(is_teller=is_teller):
                return self.say(Phrase.YOU_OPTED_OUT if is_teller else Phrase.SUBJECT_OPTED_OUT)
            case NothingToRemember():
                return self.say(Phrase.NOTHING_TO_REMEMBER)
            case Withdrawn():
                return self.say(Phrase.TELLING_GONE)
            case SourceNotKept():
                return self.say(Phrase.SOURCE_NOT_KEPT)
            case TooLong(length=length, limit=limit):
                return self.say(Phrase.FACT_TOO_LONG, length=length, limit=limit)
            case ToldEnough(subject=subject, limit=limit):
                if subject is None:
                    return self.say(Phrase.TOLD_ENOUGH_ABOUT_SERVER, limit=limit)
                return self.say(Phrase.TOLD_ENOUGH, name=name_of(subject), limit=limit)
            case UnclearWho():
                return self._which_one(outcome)

    def forgot(self, outcome: ForgetOutcome) -> str:
        match outcome:
            case Forgotten(facts=facts):
                return self.say(Phrase.FORGOTTEN, facts=listed(facts))
            case ForgottenAll(heard=heard):
                # Said in the same words whether or not there was more, and whether or not there was anything at all.
                went = [self.say(Phrase.FORGOTTEN, facts=listed(heard))] if heard else []
                return "\n".join([*went, self.say(Phrase.FORGOTTEN_ALL)])
            case UnclearWhat(query=query, candidates=candidates) if outcome.can_be_chosen:
                numbered = "\n".join(f"{number}. {told_as(fact)}" for number, fact in enumerate(candidates, start=1))
                if len(candidates) == 1:
                    return self.say(Phrase.FORGET_THIS, facts=numbered)
                return self.say(Phrase.WHICH_FACT, query=_quoted(query), facts=numbered)
            case UnclearWhat(query=query, candidates=candidates):
                return self.say(Phrase.UNCLEAR_WHAT, query=_quoted(query), facts=listed(candidates))
            case NothingToForget():
                return self.say(Phrase.NOTHING_TO_FORGET)
            case NothingFound(query=""):
                return self.say(Phrase.NOT_KEPT_ANY_MORE)
            case NothingFound(query=query, wait=wait):
                found = self.say(Phrase.NOTHING_FOUND, query=_quoted(query))
                # In other words it may be there: by those it is looked for when they may be understood again.
                return found if wait is None else f"{found}\n{self.wait(wait)}"
            case MayNotForget(facts=facts, who_may=who_may):
                return self.say(Phrase.MAY_NOT_FORGET, who=self.who(who_may), facts=listed(facts))
            case UnclearWho():
                return self._which_one(outcome)

    def wait(self, wait: Wait) -> str:
        """Ask somebody to wait who asks more often than they may."""
        if wait.seconds > LONGEST_IN_SECONDS:
            when = self.say(Phrase.IN_MINUTES, count=ceil(wait.seconds / 60))
        else:
            when = self.say(Phrase.IN_SECONDS, count=max(ceil(wait.seconds / 5), 1) * 5)
        return self.say(Phrase.ASKED_ENOUGH if wait.limit is Limit.HOURLY else Phrase.ASKED_TOO_SOON, when=when)

    def _which_one(self, outcome: UnclearWho) -> str:
        candidates = "\n".join(f"• {name_of(member)} ({_username(member)})" for member in outcome.candidates)
        phrase = Phrase.GUESSED_MEMBER if outcome.is_guess else Phrase.WHICH_MEMBER
        return self.say(phrase, name=_quoted(outcome.name), candidates=candidates)


def name_of(member: Named) -> str:
    return escaped(member.display_name)


def escaped(name: str) -> str:
    """Escape a name: nobody can pass for another by calling themselves a mention."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(name)).replace("<", "<\u200b")


def _username(member: Member) -> str:
    return "@" + discord.utils.escape_markdown(member.username)


def _quoted(text: str) -> str:
    """Quote one line of someone's words, short enough to leave the sentence around it readable."""
    return one_line(text, LONGEST_QUOTE)


def told_as(fact: Fact) -> str:
    """Quote a fact in a sentence of ours: in one line, with nothing in it that could pass for part of the sentence."""
    return statement_line(fact.text, LONGEST_FACT)


def listed(facts: Sequence[Fact], most: int = MOST_LISTED) -> str:
    lines = [f"• {told_as(fact)}" for fact in facts[:most]]
    if len(facts) > most:
        lines.append(f"• … (+{len(facts) - most})")
    return "\n".join(lines)
