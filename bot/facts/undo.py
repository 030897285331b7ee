"""Does what somebody wants who presses a button under the line that says what changed in memory.

Memory decides who may and for how long. What is done is said in the place of that line, for those who can read it, and
nothing is left there of words that were to go; what is not done is said only to the one who pressed, with the reason.
"""

import logging
from collections.abc import Sequence
from uuid import UUID

import discord

from bot.facts.tellings import rank_in
from bot.replies.buttons import EveryoneMayKnow, Form, FormField, ReplyButton, filled_in, under_taken_away, under_told
from bot.replies.compose import Composer, PrivateReplies, names_in, repeating, source_channels
from bot.replies.draft import Draft, Make, Mark, may_write
from bot.replies.interactions import Interaction
from bot.replies.send import answer_in_place, is_ephemeral
from bot.replies.split import LIMIT
from bot.words import Phrase, Voice, escaped, listed, name_of, told_as
from memory.core.outcomes import Entitled
from memory.facts.values import (
    AboutSomebodyElse,
    ChangedSince,
    ChangeKind,
    Done,
    Edited,
    EditedNothing,
    EditOutcome,
    HearsayAction,
    MayNot,
    NotThere,
    Undone,
    VetoedBefore,
)
from memory.language.detect import Language
from memory.language.text import shorten
from memory.manager import MemoryManager
from memory.people.names import NameOf, with_ids, with_names
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules, may

logger = logging.getLogger(__name__)

LONGEST = 4_000
"""As much as Discord takes: names may be twice as long as what stands for them in a fact."""
OTHER_WORDS = "in-other-words"
"""The kind of the form, by which its ids begin."""
FIELD = "fact"


class FactModal(Form):
    """Asks a teller to put what they told in other words."""

    def __init__(self, change_id: UUID, text: str, voice: Voice, name_of: NameOf) -> None:
        fields: dict[str, FormField] = {voice.say(Phrase.EDIT_FIELD): field_with(text, name_of)}
        super().__init__(voice.say(Phrase.EDIT_TITLE), OTHER_WORDS, voice.language, change_id.hex, fields=fields)


def field_with(text: str, name_of: NameOf) -> discord.ui.TextInput[discord.ui.View]:
    """Make a field for the words of a fact, people by their names."""
    return discord.ui.TextInput(
        custom_id=FIELD, style=discord.TextStyle.long, default=with_names(text, name_of), max_length=LONGEST
    )


class UndoPresses:
    def __init__(self, memory: MemoryManager, composer: Composer, replies: PrivateReplies) -> None:
        self._memory = memory
        self._composer = composer
        self._replies = replies

    async def undo(self, interaction: Interaction, language: str, change: str) -> None:
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            outcome = await self._memory.undos.undo(
                audience.guild_id, UUID(change), _actor(interaction), audience, said_in=_said_in(interaction)
            )
            match outcome:
                case Undone():
                    can_object = outcome.is_about_others and not is_ephemeral(interaction)
                    handles = under_told(outcome.told_by, voice, can_object=can_object)
                    return Draft(
                        undone(outcome, _stood(interaction), voice),
                        source_channels(outcome.back),
                        buttons=(*_to_open(interaction, outcome, voice), *handles),
                        evidence=repeating(outcome.back),
                        instead=Draft(voice.say(Phrase.AS_IT_WAS), buttons=handles),
                    )
                case MayNot(who_may=who_may):
                    return _ephemeral(refused(who_may, theirs))
                case ChangedSince():
                    return Draft(changed_since(outcome, theirs), source_channels(outcome.now), mark=Mark.FAILED)
                case NotThere():
                    return _ephemeral(theirs.say(Phrase.NOTHING_TO_UNDO))

        await self._do(interaction, voice, work)

    async def object(self, interaction: Interaction, language: str, change: str) -> None:
        """Take away all that was told there of somebody who says that it is not true of them."""
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            actor = _actor(interaction)
            told = await self._memory.undos.change(audience.guild_id, UUID(change))
            if told is None or not told.facts:
                return _ephemeral(theirs.say(Phrase.NOTHING_TO_UNDO))
            verdict = may(Action.VETO, actor, told.matter, FactRules())
            if not verdict:
                return _ephemeral(refused(verdict.who_may, theirs))
            reader, message_id = self._replies.reader(interaction), told.facts[0].message_id
            wish = HearsayAction(reader, actor, actor.user_id, message_id, said_in=_said_in(interaction))
            match await self._memory.hearsay.do(Action.VETO, wish):
                case Done(change_id=denied):
                    words = voice.say(Phrase.VETOED_NOT_TRUE, name=name_of(interaction.user))
                    return Draft(words, buttons=under_taken_away(denied, voice))
                case MayNot(who_may=who_may):
                    return _ephemeral(refused(who_may, theirs))
                case _:
                    return _ephemeral(theirs.say(Phrase.NOT_KEPT_ANY_MORE))

        await self._do(interaction, voice, work)

    async def ask_for_other_words(self, interaction: Interaction, language: str, change: str) -> None:
        """Show the form for other words, with the words as they are now, to the one who told them."""
        voice, theirs = self._voices(interaction, language)

        async def form() -> discord.ui.Modal | str:
            audience = self._readers(interaction)
            fact = await self._memory.undos.words(audience.guild_id, UUID(change), audience)
            if fact is None:
                return theirs.say(Phrase.NOTHING_TO_EDIT)
            verdict = may(Action.EDIT, _actor(interaction), fact, FactRules())
            if not verdict:
                return refused(verdict.who_may, theirs)
            return FactModal(UUID(change), fact.text, voice, names_in(interaction))

        await self._replies.show_form(interaction, form())

    async def reword(self, interaction: Interaction, language: str, change: str) -> None:
        """Put what was told in the words that somebody filled in."""
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            undos, guild_id, names = self._memory.undos, audience.guild_id, names_in(interaction)
            now = await undos.words(guild_id, UUID(change), audience)
            if now is None:
                return _ephemeral(theirs.say(Phrase.NOTHING_TO_EDIT))
            text = with_ids(filled_in(interaction)[FIELD], now.text, names)
            outcome = await undos.edit(
                guild_id, UUID(change), _actor(interaction), text, audience, said_in=_said_in(interaction)
            )
            if not isinstance(outcome, Edited):
                return _ephemeral(not_edited(outcome, theirs, names))
            of_others = any(user_id != outcome.fact.teller_id for user_id in outcome.about)
            can_object = of_others and not is_ephemeral(interaction)
            handles = under_told(outcome.change_id, voice, can_object=can_object)
            told = [outcome.fact, *outcome.replaced]
            unsaid = Draft(voice.say(Phrase.EDITED_UNSAID), buttons=handles)
            if not is_ephemeral(interaction) and not may_write(interaction.channel, interaction.permissions):
                return unsaid
            opening = (EveryoneMayKnow.of(outcome.fact, voice),) if _may_be_opened(interaction) else ()
            return Draft(
                edited(outcome, _stood(interaction), voice, names),
                source_channels(told),
                evidence=repeating(told),
                buttons=(*opening, *handles),
                instead=unsaid,
            )

        await self._do(interaction, voice, work)

    async def _do(self, interaction: Interaction, voice: Voice, work: Make) -> None:
        await interaction.response.defer()
        until, theirs = self._composer.until(), self._replies.voice(interaction)

        async def make(audience: Audience) -> Draft:
            return await self._composer.attempt(work(audience), theirs, until, reading=False)

        await answer_in_place(interaction, make, lambda: self._readers(interaction), voice, self._memory.receipts)
        logger.info("button of a change pressed", extra={"channel_id": interaction.channel_id})

    def _readers(self, interaction: Interaction) -> Audience:
        """Find the readers of the line above the buttons."""
        if interaction.guild_id is None or interaction.channel_id is None or is_ephemeral(interaction):
            return self._replies.reader(interaction)
        return self._memory.places.audience_of(interaction.guild_id, interaction.channel_id)

    def _voices(self, interaction: Interaction, language: str) -> tuple[Voice, Voice]:
        """Make two voices: that of the line above the buttons, and that of whoever pressed."""
        return Voice(Language(language), self._replies.bot_name), self._replies.voice(interaction)


def _actor(interaction: Interaction) -> Actor:
    return Actor(interaction.user.id, rank_in(interaction))


def _said_in(interaction: Interaction) -> int | None:
    """Find the message that will say what holds now, so that nobody else takes it back meanwhile."""
    return None if interaction.message is None else interaction.message.id


def _to_open(interaction: Interaction, outcome: Undone, voice: Voice) -> tuple[ReplyButton, ...]:
    """Make the button that lets everyone know what lives in here, or does so again."""
    is_private = outcome.kind is ChangeKind.OPENED or (
        outcome.kind is ChangeKind.EDITED and _may_be_opened(interaction)
    )
    return (EveryoneMayKnow.of(outcome.back[0], voice),) if is_private and outcome.back else ()


def _stood(interaction: Interaction) -> str:
    return "" if interaction.message is None else interaction.message.content


def _ephemeral(words: str) -> Draft:
    """Tell the one who pressed that nothing was done; what stands there stays."""
    return Draft(words, mark=Mark.FAILED)


def _may_be_opened(interaction: Interaction) -> bool:
    """Say whether its teller can still let everyone know it, by a button that stands there."""
    rows = [] if interaction.message is None else interaction.message.components
    ids = [str(getattr(one, "custom_id", "")) for row in rows for one in getattr(row, "children", [])]
    return any(one.startswith(f"{EveryoneMayKnow.kind}:") for one in ids)


# What undoing or editing came to, in words. People stand in a form by their names, as they would be written; in what
# comes back they are the same people again.


_WHO_MAY_KNOW = (Phrase.STAYS_HERE, Phrase.STAYS_HERE_ALL_THE_SAME, Phrase.EVERYONE_MAY_KNOW)


def refused(who_may: Sequence[Entitled], voice: Voice) -> str:
    """Tell somebody who may not change a fact who may."""
    return voice.say(Phrase.ONLY_THEY_MAY, who=voice.who(who_may)) if who_may else voice.say(Phrase.NOBODY_MAY)


def opened_to_all(stood: str, voice: Voice) -> str:
    """Reword a confirmation, cut to Discord's limit: its last line says from now on that everyone may know it."""
    line = voice.say(Phrase.EVERYONE_MAY_KNOW)
    words = stood.removesuffix(voice.say(Phrase.STAYS_HERE)).rstrip()
    return f"{shorten(words, LIMIT - len(line) - 1)}\n{line}"


def undone(outcome: Undone, stood: str, voice: Voice) -> str:
    """Say what holds after an undo. What went is not repeated: its words were to go. `stood` is the line before."""
    reach: list[str] = []
    if outcome.kind is ChangeKind.OPENED and outcome.back:
        reach = [voice.say(Phrase.STAYS_HERE)]
    elif outcome.kind is ChangeKind.EDITED and outcome.back:
        reach = _reach(stood, voice)
    return "\n".join([_holds_now(outcome, voice), *reach])


def changed_since(outcome: ChangedSince, voice: Voice) -> str:
    holds = [voice.say(Phrase.HOLDS_NOW, facts=listed(outcome.now))] if outcome.now else []
    return "\n".join([voice.say(Phrase.CHANGED_SINCE), *holds])


def edited(outcome: Edited, stood: str, voice: Voice, name_of: NameOf) -> str:
    """Say what holds after an edit. `stood` is what the line said before: who may know it stays as it was."""
    if not outcome.about:
        words = voice.say(Phrase.EDITED_ABOUT_SERVER, fact=told_as(outcome.fact))
    else:
        names = ", ".join(_called(user_id, name_of) for user_id in outcome.about)
        words = voice.say(Phrase.EDITED, name=names, fact=told_as(outcome.fact))
    instead = [voice.say(Phrase.REPLACED, facts=listed(outcome.replaced))] if outcome.replaced else []
    return "\n".join([words, *instead, *_reach(stood, voice)])


def not_edited(outcome: EditOutcome, voice: Voice, name_of: NameOf) -> str:
    match outcome:
        case Edited():
            raise ValueError("it was put in other words")
        case EditedNothing():
            return voice.say(Phrase.SAYS_SO_ALREADY)
        case NotThere():
            return voice.say(Phrase.NOTHING_TO_EDIT)
        case MayNot(who_may=who_may):
            return refused(who_may, voice)
        case AboutSomebodyElse():
            return voice.say(Phrase.ABOUT_SOMEBODY_ELSE)
        case VetoedBefore(subject_id=subject_id):
            return voice.say(Phrase.DENIED_BEFORE, name=_called(subject_id, name_of))
        case _:
            return voice.told(outcome)


def _reach(stood: str, voice: Voice) -> list[str]:
    """Repeat the line that says who may know it, where it stood."""
    return [line for line in map(voice.say, _WHO_MAY_KNOW) if stood.endswith(line)]


def _called(user_id: int, name_of: NameOf) -> str:
    """Call a member by their name as it is now; whoever has left has none."""
    name = name_of(user_id)
    return f"<@{user_id}>" if name is None else escaped(name)


def _holds_now(outcome: Undone, voice: Voice) -> str:
    facts = listed(outcome.back)
    match outcome.kind:
        case ChangeKind.REMEMBERED if outcome.back or outcome.gone:
            went = voice.say(Phrase.NOT_KEPT_AFTER_ALL)
            return "\n".join([went, voice.say(Phrase.HOLDS_INSTEAD, facts=facts)]) if outcome.back else went
        case ChangeKind.EDITED | ChangeKind.OPENED if outcome.back:
            return voice.say(Phrase.SAYS_AGAIN, facts=facts)
        case _ if outcome.back:
            return voice.say(Phrase.HOLDS_AGAIN, facts=facts)
        case _:
            return voice.say(Phrase.AS_IT_WAS)
