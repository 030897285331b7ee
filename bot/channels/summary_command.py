"""`/summary`: what was talked about in a channel, told to one person alone, and what they do about it.

A button holds the number of a summary and nothing of its text: whatever is pressed, memory is asked anew, for what the
one who presses can read at that moment.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, Self, runtime_checkable

import aiohttp
import discord
from discord import app_commands

from bot.channels.pages import correction_lost, place_of, sources_page, status_page, summary_page, told
from bot.facts.forms import field_with, typed_in
from bot.facts.memory_command import FORM_SECONDS, names_in
from bot.facts.tellings import rank_in
from bot.replies.buttons import ID
from bot.replies.compose import Composer
from bot.replies.draft import Button, Draft, Mark, Sent, deliver, knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import SILENT, Still, send, whispering_to
from bot.settings import BotOptions
from bot.settings_ui.commands import SettingsEditor
from bot.words.commands import described
from bot.words.keys import Notice, Phrase, Slash
from bot.words.voice import Voice
from memory.channels.make import Outcome
from memory.channels.service import ChannelText
from memory.channels.values import LONGEST, ChannelSummary, Policy
from memory.core.outcomes import Correction
from memory.core.values import Rank, fingerprint
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.people.names import NameOf, with_ids
from memory.places.view import Audience
from memory.policy import setting_fields as fields
from memory.policy.settings import GuildSettings, SummaryRules
from memory.tasks import request

# The buttons under a summary, and the form in which it is put right. They work after any restart.


_SHOW, _CORRECT, _SOURCES = "show", "correct", "sources"
_FORM = re.compile(rf"summary-words:(?P<summary>{ID}):(?P<shown>[0-9a-f]{{1,8}})")


class SummaryHandler(Protocol):
    async def press(self, interaction: Interaction, verb: str, summary_id: int) -> None: ...


@runtime_checkable
class HasSummaryHandler(Protocol):
    @property
    def summaries(self) -> SummaryHandler: ...


class SummaryButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"summary:(?P<verb>{_SHOW}|{_CORRECT}|{_SOURCES}):(?P<summary>{ID})",
):
    def __init__(self, verb: str, summary_id: int, label: str) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"summary:{verb}:{summary_id:x}"))
        self._verb = verb
        self._summary_id = summary_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["verb"], int(match["summary"], 16), "…")

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasSummaryHandler):
            raise TypeError("this client has no summaries")
        await interaction.client.summaries.press(interaction, self._verb, self._summary_id)


class SummaryModal(discord.ui.Modal):
    def __init__(self, summary: ChannelSummary, voice: Voice, name_of: NameOf) -> None:
        shown = fingerprint(summary.text)
        super().__init__(
            title=voice.say(Notice.SUMMARY_FORM_TITLE), custom_id=f"summary-words:{summary.summary_id:x}:{shown:x}"
        )
        field = field_with(summary.text, name_of)
        self.add_item(discord.ui.Label(text=voice.say(Notice.SUMMARY_FORM_FIELD), component=field))
        # discord.py would keep it for ever, for a form that may never be sent, and is not needed to read it.
        self.stop()


# What the commands do.


logger = logging.getLogger(__name__)

_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)
_TOLD_FIRST = {
    Outcome.FAILED: Notice.SUMMARY_FAILED,
    Outcome.TOO_OFTEN: Notice.SUMMARY_TOO_OFTEN,
    Outcome.NOT_DUE: Notice.SUMMARY_NOTHING_NEW,
    Outcome.CHANGED: Notice.SUMMARY_CHANGED,
    Outcome.ELSEWHERE: Notice.SUMMARY_ELSEWHERE,
}

Work = Callable[[Audience], Awaitable[Draft]]


class PlaceCommand:
    """Tells of the place where a command was used, to the one who used it, as far as they can read it back."""

    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]

    async def _answer(self, interaction: Interaction, work: Work, *, reading: bool = True) -> None:
        """For whatever Discord has had no answer to yet."""
        with request("channel"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice, until = self._voice(interaction), self._composer.until()

            async def make(reader: Audience) -> Draft:
                if reader.place_id not in reader.sources:
                    why = Notice.SUMMARY_CLOSED if knows_who_reads(reader) else Notice.NOT_KNOWN_YET
                    return Draft(voice.say(why), mark=Mark.FAILED)
                return await self._composer.attempt(work(reader), voice, until, reading=reading)

            async def say(draft: Draft, still: Still) -> Sent:
                return await send(draft, whispering_to(interaction), ending=voice.say(Phrase.CUT), still=still)

            await deliver(make, partial(sole_reader, self._memory, interaction), say)

    async def _summary(
        self, interaction: Interaction, audience: Audience, summary: ChannelSummary, first: str = "", last: str = ""
    ) -> Draft:
        """With what can be done about it, and buttons to the next ones where there are several."""
        voice, number = self._voice(interaction), summary.summary_id
        listed = [] if summary.policy is Policy.HISTORY else await self._active(audience)
        ids = [one.summary_id for one in listed]
        at = ids.index(number) if number in ids else 0
        buttons: list[Button] = []
        if number in ids and at > 0:
            buttons.append(SummaryButton(_SHOW, ids[at - 1], "◀"))
        if number in ids and at < len(ids) - 1:
            buttons.append(SummaryButton(_SHOW, ids[at + 1], "▶"))
        if await self._may_correct(interaction, audience, summary):
            buttons.append(SummaryButton(_CORRECT, number, voice.say(Notice.ACT_CORRECT)))
        buttons.append(SummaryButton(_SOURCES, number, voice.say(Notice.SUMMARY_RESTS_ON)))
        page = summary_page(summary, at + 1, len(ids) if number in ids else 1, audience, voice)
        words = "\n".join(part for part in (first, page, last) if part)
        return Draft(words, frozenset((audience.place_id,)), choices=tuple(buttons))

    async def _active(self, audience: Audience) -> list[ChannelSummary]:
        """In the order of what they tell."""
        status = await self._memory.channels.status(audience)
        return sorted(status.summaries, key=lambda one: one.span.first_id)

    async def _may_correct(self, interaction: Interaction, audience: Audience, summary: ChannelSummary) -> bool:
        """A history is no record: it is told anew, from the log, and would lose what somebody put right in it."""
        is_manager = rank_in(interaction) >= Rank.MANAGER
        return summary.policy is not Policy.HISTORY and await self._memory.channels.may_correct(
            audience, summary, interaction.user.id, is_manager=is_manager
        )

    def _voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self._bot_name)


class SummaryCommand(PlaceCommand):
    async def status(self, interaction: Interaction) -> None:
        async def work(audience: Audience) -> Draft:
            status = await self._memory.channels.status(audience)
            return Draft(status_page(status, audience, self._voice(interaction)), frozenset((audience.place_id,)))

        await self._answer(interaction, work)

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
            logger.info("summed up by request", extra={"outcome": outcome})
            draft = await self._made(interaction, audience, outcome, text)
            return replace(draft, words="\n".join([*correction_lost(before, voice), draft.words]))

        await self._answer(interaction, work, reading=False)

    async def _made(self, interaction: Interaction, audience: Audience, outcome: Outcome, text: ChannelText) -> Draft:
        voice, channel = self._voice(interaction), place_of(audience)
        first = voice.say(_TOLD_FIRST[outcome]) if outcome in _TOLD_FIRST else ""
        extract = "" if text.extract is None else told(text.extract.text, text.extract.cites, audience)
        if text.summaries:
            newest = max(text.summaries, key=lambda one: one.span.last_id)
            stays_open = outcome is Outcome.FAILED and extract
            last = f"{voice.say(Notice.SUMMARY_SINCE)}\n{extract}" if stays_open else ""
            return await self._summary(interaction, audience, newest, first, last)
        if not extract:
            return Draft(voice.say(Notice.SUMMARY_NOTHING))
        # Too little for a summary is not the same as nothing new.
        before = [first] if first and outcome is not Outcome.NOT_DUE else []
        words = "\n".join([*before, voice.say(Notice.SUMMARY_EXTRACT, channel=channel), extract])
        return Draft(words, frozenset((audience.place_id,)))

    async def press(self, interaction: Interaction, verb: str, summary_id: int) -> None:
        try:
            if verb == _CORRECT:
                await self._ask_for_words(interaction, summary_id)
            else:
                await self._answer(interaction, partial(self._pressed, interaction, verb, summary_id))
        except _DISCORD_FAILS:
            logger.exception("a press could not be answered")

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
        """Of another place nothing is told here."""
        summary = await self._memory.channels.by_id(audience, summary_id)
        return summary if summary is not None and summary.channel_id == audience.place_id else None

    async def _ask_for_words(self, interaction: Interaction, summary_id: int) -> None:
        with request("channel"):
            voice = self._voice(interaction)
            until = asyncio.get_running_loop().time() + FORM_SECONDS
            audience = sole_reader(self._memory, interaction)
            found = await self._composer.attempt(
                self._correctable(interaction, audience, summary_id), voice, until, reading=True
            )
            if isinstance(found, ChannelSummary):
                await interaction.response.send_modal(SummaryModal(found, voice, names_in(interaction)))
            else:
                await interaction.response.send_message(found.words, ephemeral=True, allowed_mentions=SILENT)

    async def _correctable(
        self, interaction: Interaction, audience: Audience, summary_id: int
    ) -> ChannelSummary | Draft:
        """Or why it is not."""
        voice = self._voice(interaction)
        summary = await self._of_place(audience, summary_id)
        if summary is None:
            return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE))
        if not await self._may_correct(interaction, audience, summary):
            return Draft(voice.say(Notice.SUMMARY_MAY_NOT))
        return summary

    async def read_form(self, interaction: Interaction) -> None:
        """Discord tells of every form; ours is read from what it tells, whatever was restarted meanwhile."""
        if interaction.type is not discord.InteractionType.modal_submit or interaction.data is None:
            return
        form = _FORM.fullmatch(str(interaction.data.get("custom_id", "")))
        if form is not None:
            work = partial(self._correct, interaction, int(form["summary"], 16), int(form["shown"], 16))
            await self._answer(interaction, work, reading=False)

    async def _correct(self, interaction: Interaction, summary_id: int, shown: int, audience: Audience) -> Draft:
        voice, channels = self._voice(interaction), self._memory.channels
        summary = await self._correctable(interaction, audience, summary_id)
        if isinstance(summary, Draft):
            return summary
        if fingerprint(summary.text) != shown:
            return await self._summary(interaction, audience, summary, voice.say(Notice.SUMMARY_OVERTAKEN))
        text = with_ids(typed_in(interaction), summary.text, names_in(interaction)).strip()
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


# `/summary setup`, `on` and `off` are settings of the whole server, for those who manage it.


class SummaryCommands(app_commands.Group):
    def __init__(self, command: SummaryCommand, editor: SettingsEditor) -> None:
        super().__init__(name="summary", description=described(Slash.SUMMARY), guild_only=True)
        self._command = command
        self._editor = editor

    @app_commands.command(name="setup", description=described(Slash.SUMMARY_SETUP))
    @app_commands.describe(
        policy=described(Slash.SUMMARY_SETUP_POLICY),
        turns=described(Slash.SUMMARY_SETUP_TURNS),
        first=described(Slash.SUMMARY_SETUP_FIRST),
        first_tokens=described(Slash.SUMMARY_SETUP_FIRST_TOKENS),
        again=described(Slash.SUMMARY_SETUP_AGAIN),
        kept=described(Slash.SUMMARY_SETUP_KEPT),
    )
    @app_commands.rename(first_tokens="first-tokens")
    @app_commands.choices(
        policy=[
            app_commands.Choice(name=described(Slash.SUMMARY_SETUP_POLICY_ROLLING), value=Policy.ROLLING.value),
            app_commands.Choice(name=described(Slash.SUMMARY_SETUP_POLICY_LEVELS), value=Policy.LEVELS.value),
        ]
    )
    async def setup(
        self,
        interaction: Interaction,
        policy: str | None = None,
        turns: app_commands.Range[int, fields.TURNS.least, fields.TURNS.most] | None = None,
        first: app_commands.Range[int, fields.FIRST.least, fields.FIRST.most] | None = None,
        again: app_commands.Range[int, fields.AGAIN.least, fields.AGAIN.most] | None = None,
        kept: app_commands.Range[int, fields.KEPT.least, fields.KEPT.most] | None = None,
        first_tokens: app_commands.Range[int, fields.FIRST_TOKENS.least, fields.FIRST_TOKENS.most] | None = None,
    ) -> None:
        def change(rules: SummaryRules) -> SummaryRules:
            wanted = replace(
                rules,
                policy=rules.policy if policy is None else Policy(policy),
                turns=turns or rules.turns,
                first=first or rules.first,
                first_tokens=first_tokens or rules.first_tokens,
                again=again or rules.again,
                kept=rules.kept if kept is None else kept,
            )
            return fields.coherent(wanted)

        await self._change(interaction, change)

    @app_commands.command(name="status", description=described(Slash.SUMMARY_STATUS))
    async def status(self, interaction: Interaction) -> None:
        await self._command.status(interaction)

    @app_commands.command(name="on", description=described(Slash.SUMMARY_ON))
    async def on(self, interaction: Interaction) -> None:
        await self._change(interaction, lambda rules: replace(rules, is_on=True))

    @app_commands.command(name="off", description=described(Slash.SUMMARY_OFF))
    async def off(self, interaction: Interaction) -> None:
        await self._change(interaction, lambda rules: replace(rules, is_on=False))

    @app_commands.command(name="now", description=described(Slash.SUMMARY_NOW))
    async def now(self, interaction: Interaction) -> None:
        await self._command.now(interaction)

    async def _change(self, interaction: Interaction, change: Callable[[SummaryRules], SummaryRules]) -> None:
        def change_settings(settings: GuildSettings) -> GuildSettings:
            return replace(settings, summaries=change(settings.summaries))

        await self._editor.change(interaction, change_settings)
