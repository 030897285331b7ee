"""Answers `/summary` and `/context`: tells one person alone what was talked about in a channel and is in view of it.

A button holds the number of a summary and nothing of its text: whatever is pressed, memory is asked anew, for what the
one who presses can read at that moment.
"""

import logging
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.channels.pages import (
    analysis_page,
    correction_lost,
    place_of,
    sources_page,
    status_page,
    summary_page,
    told,
    views_page,
)
from bot.facts.tellings import rank_in
from bot.facts.undo import FIELD, field_with
from bot.replies.buttons import Form, ReplyButton, filled_in
from bot.replies.compose import PrivateReplies, names_in
from bot.replies.draft import Draft, Make, Mark, knows_who_reads
from bot.replies.interactions import Interaction, answer
from bot.settings_ui.commands import SettingsEditor, setting_command, wanting
from bot.words import Notice, Phrase, Slash, Voice, described
from memory.channels.make import SummaryOutcome
from memory.channels.service import ChannelText
from memory.channels.values import LONGEST, ChannelSummary, Policy
from memory.core.outcomes import Correction
from memory.core.values import Rank, fingerprint
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.people.names import NameOf, with_ids
from memory.places.view import Audience

logger = logging.getLogger(__name__)

SUMMARY_WORDS = "summary-words"
_SHOW, _CORRECT, _SOURCES = "show", "correct", "sources"
_TOLD_FIRST = {
    SummaryOutcome.FAILED: Notice.SUMMARY_FAILED,
    SummaryOutcome.TOO_OFTEN: Notice.SUMMARY_TOO_OFTEN,
    SummaryOutcome.NOT_DUE: Notice.SUMMARY_NOTHING_NEW,
    SummaryOutcome.CHANGED: Notice.SUMMARY_CHANGED,
    SummaryOutcome.ELSEWHERE: Notice.SUMMARY_ELSEWHERE,
}


class SummaryButton(ReplyButton, kind="summary"):
    """Leads to another summary of the channel, to the form in which one is put right, or to its sources."""

    @classmethod
    def of(cls, verb: str, summary_id: int, label: str) -> "SummaryButton":
        return cls(verb, f"{summary_id:x}", label=label)


class SummaryModal(Form):
    def __init__(self, summary: ChannelSummary, voice: Voice, name_of: NameOf) -> None:
        super().__init__(
            voice.say(Notice.SUMMARY_FORM_TITLE),
            SUMMARY_WORDS,
            f"{summary.summary_id:x}",
            f"{fingerprint(summary.text):x}",
            fields={voice.say(Notice.SUMMARY_FORM_FIELD): field_with(summary.text, name_of)},
        )


class PlaceCommands(app_commands.Group):
    """Tells of the place where a command was used, to the one who used it, as far as they can read it back."""

    def __init__(self, name: str, about: Slash, memory: MemoryManager, replies: PrivateReplies) -> None:
        super().__init__(name=name, description=described(about), guild_only=True)
        self._memory = memory
        self._replies = replies

    async def _answer(self, interaction: Interaction, work: Make, *, reading: bool = True) -> None:
        async def read_back(reader: Audience) -> Draft:
            if reader.place_id not in reader.sources:
                why = Notice.SUMMARY_CLOSED if knows_who_reads(reader) else Notice.NOT_KNOWN_YET
                return Draft(self._voice(interaction).say(why), mark=Mark.FAILED)
            return await work(reader)

        await self._replies.answer(interaction, read_back, reading=reading)

    async def _summary(
        self, interaction: Interaction, audience: Audience, summary: ChannelSummary, first: str = "", last: str = ""
    ) -> Draft:
        """Show a summary with what can be done about it, and buttons to the next ones where there are several."""
        voice, number = self._voice(interaction), summary.summary_id
        ids = [] if summary.policy is Policy.HISTORY else await self._active(audience)
        at = ids.index(number) if number in ids else None
        buttons: list[ReplyButton] = []
        if at is not None:
            buttons += [SummaryButton.of(_SHOW, one, "◀") for one in ids[:at][-1:]]
            buttons += [SummaryButton.of(_SHOW, one, "▶") for one in ids[at + 1 :][:1]]
        if await self._may_correct(interaction, audience, summary):
            buttons.append(SummaryButton.of(_CORRECT, number, voice.say(Notice.ACT_CORRECT)))
        buttons.append(SummaryButton.of(_SOURCES, number, voice.say(Notice.SUMMARY_RESTS_ON)))
        page = summary_page(summary, (at or 0) + 1, 1 if at is None else len(ids), audience, voice)
        words = "\n".join(part for part in (first, page, last) if part)
        return Draft(words, frozenset((audience.place_id,)), buttons=tuple(buttons))

    async def _active(self, audience: Audience) -> list[int]:
        """List the ids of a channel's summaries, in the order of what they tell."""
        status = await self._memory.channels.status(audience)
        return [one.summary_id for one in sorted(status.summaries, key=lambda one: one.span.first_id)]

    async def _may_correct(self, interaction: Interaction, audience: Audience, summary: ChannelSummary) -> bool:
        """Say whether they may correct a summary; a history never: it is told anew, and would lose the correction."""
        is_manager = rank_in(interaction) >= Rank.MANAGER
        return summary.policy is not Policy.HISTORY and await self._memory.channels.may_correct(
            audience, summary, interaction.user.id, is_manager=is_manager
        )

    def _voice(self, interaction: Interaction) -> Voice:
        return self._replies.voice(interaction)


_SET_UP = ("policy", "turns", "first", "first_tokens", "again", "kept")


class SummaryCommands(PlaceCommands):
    """Answers `/summary`; `setup`, `on` and `off` are settings of the whole server, for those who manage it."""

    def __init__(self, memory: MemoryManager, replies: PrivateReplies, editor: SettingsEditor) -> None:
        super().__init__("summary", Slash.SUMMARY, memory, replies)
        self._editor = editor
        options = {name.replace("_", "-"): f"summaries.{name}" for name in _SET_UP}
        self.add_command(setting_command(editor, "setup", options, Slash.SUMMARY_SETUP))

    @app_commands.command(name="on", description=described(Slash.SUMMARY_ON))
    async def on(self, interaction: Interaction) -> None:
        await self._editor.change(interaction, wanting({"summaries.is_on": True}, interaction.created_at))

    @app_commands.command(name="off", description=described(Slash.SUMMARY_OFF))
    async def off(self, interaction: Interaction) -> None:
        await self._editor.change(interaction, wanting({"summaries.is_on": False}, interaction.created_at))

    @app_commands.command(name="status", description=described(Slash.SUMMARY_STATUS))
    async def status(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            status = await self._memory.channels.status(audience)
            return Draft(status_page(status, audience, self._voice(interaction)), frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    @app_commands.command(name="now", description=described(Slash.SUMMARY_NOW))
    async def now(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            voice = self._voice(interaction)
            before = await self._memory.channels.status(audience)
            if not before.rules.is_on:
                return Draft(voice.say(Notice.SUMMARY_IS_OFF))
            by = Requester(interaction.user.id, interaction.id)
            outcome = await self._memory.channels.now(audience, by)
            text = await self._memory.channels.text(audience, audience.place_id, by)
            if text is None:
                return Draft(voice.say(Notice.SUMMARY_IS_OFF))
            logger.info("channel summed up on request", extra={"outcome": outcome})
            draft = await self._made(interaction, audience, outcome, text)
            return replace(draft, words="\n".join([*correction_lost(before, voice), draft.words]))

        await self._answer(interaction, work, reading=False)

    async def _made(
        self, interaction: Interaction, audience: Audience, outcome: SummaryOutcome, text: ChannelText
    ) -> Draft:
        voice, channel = self._voice(interaction), place_of(audience)
        first = voice.say(_TOLD_FIRST[outcome]) if outcome in _TOLD_FIRST else ""
        extract = "" if text.extract is None else told(text.extract.text, text.extract.cites, audience)
        if text.summaries:
            newest = max(text.summaries, key=lambda one: one.span.last_id)
            stays_open = outcome is SummaryOutcome.FAILED and extract
            last = f"{voice.say(Notice.SUMMARY_SINCE)}\n{extract}" if stays_open else ""
            return await self._summary(interaction, audience, newest, first, last)
        if not extract:
            return Draft(voice.say(Notice.SUMMARY_NOTHING))
        # Too little for a summary is not the same as nothing new.
        before = [first] if first and outcome is not SummaryOutcome.NOT_DUE else []
        words = "\n".join([*before, voice.say(Notice.SUMMARY_EXTRACT, channel=channel), extract])
        return Draft(words, frozenset((audience.place_id,)))

    async def press(self, interaction: Interaction, verb: str, number: str) -> None:
        summary_id = int(number, 16)
        if verb == _CORRECT:
            await self._replies.show_form(interaction, self._form(interaction, summary_id))
        else:
            await self._answer(interaction, partial(self._pressed, interaction, verb, summary_id))

    async def _pressed(self, interaction: Interaction, verb: str, summary_id: int, audience: Audience) -> Draft:
        voice = self._voice(interaction)
        summary = await self._of_place(audience, summary_id)
        if summary is None:
            return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE))
        if verb == _SHOW:
            return await self._summary(interaction, audience, summary)
        said = await self._memory.channels.rests_on(audience, summary)
        return Draft(sources_page(summary, said, audience, voice), frozenset((audience.place_id,)))

    async def _of_place(self, audience: Audience, summary_id: int) -> ChannelSummary | None:
        """Find a summary of this place: of another nothing is told here."""
        summary = await self._memory.channels.by_id(audience, summary_id)
        return summary if summary is not None and summary.channel_id == audience.place_id else None

    async def _form(self, interaction: Interaction, summary_id: int) -> discord.ui.Modal | str:
        found = await self._correctable(interaction, self._replies.reader(interaction), summary_id)
        if isinstance(found, Draft):
            return found.words
        return SummaryModal(found, self._voice(interaction), names_in(interaction))

    async def _correctable(
        self, interaction: Interaction, audience: Audience, summary_id: int
    ) -> ChannelSummary | Draft:
        """Find a summary that they may correct, or say in a draft why they may not."""
        voice = self._voice(interaction)
        summary = await self._of_place(audience, summary_id)
        if summary is None:
            return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE))
        if not await self._may_correct(interaction, audience, summary):
            return Draft(voice.say(Notice.SUMMARY_MAY_NOT))
        return summary

    async def correct(self, interaction: Interaction, number: str, shown: str) -> None:
        """Put a summary in the words that somebody filled in."""
        work = partial(self._correct, interaction, int(number, 16), int(shown, 16))
        await self._answer(interaction, work, reading=False)

    async def _correct(self, interaction: Interaction, summary_id: int, shown: int, audience: Audience) -> Draft:
        voice, channels = self._voice(interaction), self._memory.channels
        summary = await self._correctable(interaction, audience, summary_id)
        if isinstance(summary, Draft):
            return summary
        if fingerprint(summary.text) != shown:
            return await self._summary(interaction, audience, summary, voice.say(Notice.SUMMARY_OVERTAKEN))
        text = with_ids(filled_in(interaction)[FIELD], summary.text, names_in(interaction)).strip()
        if len(text) > LONGEST:
            return Draft(voice.say(Phrase.FACT_TOO_LONG, length=len(text), limit=LONGEST))
        if text in ("", summary.text):
            return Draft(voice.say(Notice.NOTHING_CHANGED))
        match await channels.correct(audience, summary_id, text, interaction.user.id):
            case Correction.GONE:
                return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE))
            case Correction.NAMES_WHO_OPTED_OUT:
                return Draft(voice.say(Phrase.SUBJECT_OPTED_OUT))
            case Correction.DONE:
                corrected = replace(summary, text=text, corrected_by=interaction.user.id)
                return await self._summary(interaction, audience, corrected, voice.say(Notice.SUMMARY_CORRECTED))


LONGEST_ABOUT = 200

About = app_commands.Range[str, 1, LONGEST_ABOUT]


class ContextCommands(PlaceCommands):
    @app_commands.command(name="show", description=described(Slash.CONTEXT_SHOW))
    async def show(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            views = await self._memory.channels.views(audience)
            return Draft(views_page(views, audience, self._voice(interaction)), frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    @app_commands.command(name="history", description=described(Slash.CONTEXT_HISTORY))
    async def history(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            voice = self._voice(interaction)
            if not (await self._memory.channels.status(audience)).rules.is_on:
                return Draft(voice.say(Notice.SUMMARY_IS_OFF))
            text = await self._memory.channels.history(audience, Requester(interaction.user.id, interaction.id))
            if text.summaries:
                return await self._summary(interaction, audience, text.summaries[0])
            if text.extract is None:
                return Draft(voice.say(Notice.CONTEXT_NOTHING, channel=place_of(audience)))
            quoted = told(text.extract.text, text.extract.cites, audience)
            heading = voice.say(Notice.SUMMARY_EXTRACT, channel=place_of(audience))
            return Draft(f"{heading}\n{quoted}", frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    @app_commands.command(name="analyze", description=described(Slash.CONTEXT_ANALYZE))
    @app_commands.describe(about=described(Slash.CONTEXT_ANALYZE_ABOUT))
    async def analyze(self, interaction: Interaction, about: About | None = None) -> None:
        async def work(audience: Audience) -> Draft:
            found = await self._memory.channels.analyze(audience, about)
            words = analysis_page(found, about, audience, self._voice(interaction))
            return Draft(words, frozenset((audience.place_id,)))

        await self._answer(interaction, work)

    @app_commands.command(name="clear", description=described(Slash.CONTEXT_CLEAR))
    async def clear(self, interaction: Interaction) -> None:
        """Start a channel's context anew, for moderators: Discord says what they may in this very channel."""
        voice = self._voice(interaction)
        if not interaction.permissions.manage_messages:
            await answer(interaction, voice.say(Notice.CONTEXT_ONLY_MODERATORS))
            return

        async def work(audience: Audience) -> Draft:
            await self._memory.channels.restart(audience)
            return Draft(voice.say(Notice.CONTEXT_CLEARED))

        await self._answer(interaction, work, reading=False)
