"""Answers `/innkeeper`: how the bot is doing, what it is, what it uses, setting it up, and its leave."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from decimal import Decimal
from ipaddress import ip_address
from urllib.parse import urlsplit

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.commands import ask_to_erase
from bot.privacy.holdings import describe_gone_of_guild
from bot.replies.interactions import Interaction, Question, Questions, answer, answer_manager, voice_of
from bot.replies.split import LIMIT
from bot.settings_ui.wizard import Wizard
from bot.words import Notice, Slash, Voice, described
from memory.core.log_values import ErasureReport, OnProgress
from memory.core.version import VERSION
from memory.db.errors import StoreError
from memory.health import Area, HealthReport, PartHealth, PartState
from memory.manager import MemoryManager
from memory.models.usage import DailyBudget, Spending, UsageReport
from memory.tasks import request

logger = logging.getLogger(__name__)

# A health report as text for people.


_LAMP = {PartState.ACTIVE: "🟢", PartState.INITIALIZING: "🟡", PartState.FAILING: "🔴"}


_STATUS = {
    PartState.ACTIVE: Notice.STATUS_WELL,
    PartState.INITIALIZING: Notice.STATUS_STARTING,
    PartState.FAILING: Notice.STATUS_TROUBLE,
}
_PART = {
    PartState.ACTIVE: Notice.PART_ACTIVE,
    PartState.INITIALIZING: Notice.PART_INITIALIZING,
    PartState.FAILING: Notice.PART_FAILING,
}
_AREA = {
    Area.DISCORD: Notice.AREA_DISCORD,
    Area.STORAGE: Notice.AREA_STORAGE,
    Area.ANSWERS: Notice.AREA_ANSWERS,
    Area.SCHEDULE: Notice.AREA_SCHEDULE,
    Area.MEMORY: Notice.AREA_MEMORY,
}


def how_it_is(report: HealthReport, voice: Voice, manages: int | None = None) -> str:
    """Say in a sentence how the bot is; to those who manage a guild what is wrong, since when, who can mend it."""
    found = report.condition(manages)
    lamp, said = _LAMP[found.state], voice.say(_STATUS[found.state])
    when = None if manages is None or found.since is None else _moment(found.since)
    if found.is_limited and when is not None:
        lamp, said = _LAMP[PartState.INITIALIZING], voice.say(Notice.STATUS_HERE, when=when)
    elif found.areas and when is not None:
        what = ", ".join(voice.say(_AREA[area]) for area in found.areas)
        said = voice.say(Notice.STATUS_NOT_WORKING, when=when, what=what)
    in_log = [voice.say(Notice.STATUS_IN_LOG)] if found.in_log else []
    return "\n".join([f"{lamp} {said}", *(f"• {issue}" for issue in found.here), *in_log])


def describe(report: HealthReport, guild_id: int, voice: Voice, *, with_counts: bool) -> str:
    """List by area the parts with trouble, then those that are well, and counters last, for who manages this guild.

    Counts, and when a part last had work, tell of other guilds too, so nobody is shown them where there are more.
    """
    lines = [f"Innkeeper {VERSION}"]
    lines += [f"🔴 {process.process}: {issue}" for process in report.processes for issue in process.issues]
    parts = [part for process in report.processes for part in process.parts]
    for area in Area:
        there = [part for part in parts if part.area is area]
        lines += [f"**{voice.say(_AREA[area])}**"] if there else []
        well = sorted({part.name for part in there if _is_well(part, guild_id)})
        for part in there:
            if not _is_well(part, guild_id):
                lines.append(_part_line(part, voice))
                lines += [f"  ↳ {part.guild_issues[guild_id]}"] if guild_id in part.guild_issues else []
        lines += [f"🟢 {', '.join(well)}"] if well else []
    return "\n".join([*lines, *(_counts(part) for part in parts if with_counts and any(part.counts.values()))])


def _is_well(part: PartHealth, guild_id: int) -> bool:
    return part.state_in(guild_id) is PartState.ACTIVE and guild_id not in part.guild_issues


def _part_line(part: PartHealth, voice: Voice) -> str:
    lamp = _LAMP[PartState.INITIALIZING if part.state is PartState.ACTIVE else part.state]
    return f"{lamp} {voice.say(_PART[part.state], name=part.name, when=_moment(part.since))}"


def _counts(part: PartHealth) -> str:
    counted = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in part.counts.items() if count)
    return f"-# {part.name}: {counted}"


def _moment(at: datetime) -> str:
    """Write a moment that Discord shows by the reader's own clock."""
    return f"<t:{int(at.timestamp())}:f>"


# A guild's use of models as text for those who manage it, short enough for one message and for a phone.


MOST_LINES = 8
"""For each span of time, if they fit."""
LONGEST_NAME = 40
MOST_NAMED = 3
EMBED = "embed"
CENT = Decimal("0.01")

_PURPOSES = {
    "answer": Notice.USAGE_ANSWER,
    "summarise": Notice.USAGE_SUMMARISE,
    "small": Notice.USAGE_SMALL,
    EMBED: Notice.USAGE_EMBED,
    "see": Notice.USAGE_SEE,
    "hear": Notice.USAGE_HEAR,
}


def describe_usage(report: UsageReport, voice: Voice) -> str:
    """List what took tokens, the most first. Where not all of it fits, the rest is counted."""
    shown = [_described(report, voice, lines) for lines in range(MOST_LINES, 0, -1)]
    return next((words for words in shown if len(words) <= LIMIT), shown[-1])


def _described(report: UsageReport, voice: Voice, lines: int) -> str:
    head = [voice.say(Notice.USAGE_TITLE)]
    if not report.has_model:
        head.append(voice.say(Notice.USAGE_NO_MODEL))
    if not report.has_model and not report.month:
        return "\n".join(head)
    if report.has_model:
        head.append(_budget(report.budget, voice))
    spans = ((Notice.USAGE_TODAY, report.today), (Notice.USAGE_WEEK, report.week), (Notice.USAGE_MONTH, report.month))
    blocks = [_block(title, spent, report, voice, lines) for title, spent in spans]
    return "\n\n".join(["\n".join(head), *blocks, *_remarks(report, voice)])


def _budget(budget: DailyBudget, voice: Voice) -> str:
    if not budget.tokens:
        return voice.say(Notice.USAGE_NO_BUDGET)
    return voice.say(
        Notice.USAGE_BUDGET,
        spent=_short(budget.spent),
        budget=_short(budget.tokens),
        left=budget.left * 100 // budget.tokens,
        when=f"<t:{int(budget.renewed_at.timestamp())}:R>",
    )


def _block(title: Notice, spent: Sequence[Spending], report: UsageReport, voice: Voice, lines: int) -> str:
    if not spent:
        return f"**{voice.say(title)}**: {voice.say(Notice.USAGE_NOTHING)}"
    tokens = sum(one.tally.tokens for one in spent)
    about = "~" if any(one.tally.is_estimated for one in spent) else ""
    known = [one.cost for one in spent if one.cost is not None]
    said = [voice.say(Notice.USAGE_SUM, tokens=about + _short(tokens))]
    if known:
        said.append(_money(sum(known, Decimal(0)), report.currency))
    block = [f"**{voice.say(title)}**: {', '.join(said)}", *(_line(one, report, voice) for one in spent[:lines])]
    if len(spent) > lines:
        block.append(f"• … (+{len(spent) - lines})")
    return "\n".join(block)


def _line(spending: Spending, report: UsageReport, voice: Voice) -> str:
    tally = spending.tally
    about = "~" if tally.is_estimated else ""
    said = [voice.say(Notice.USAGE_CALLS, count=tally.calls)]
    if tally.failed:
        said.append(voice.say(Notice.USAGE_FAILED, failed=_short(tally.failed)))
    sent, received = about + _short(tally.tokens_in), about + _short(tally.tokens_out)
    said.append(voice.say(Notice.USAGE_TOKENS, tokens_in=sent, tokens_out=received))
    said.append(voice.say(Notice.USAGE_SECONDS, seconds=f"{tally.mean_seconds:.1f}"))
    if spending.cost is not None:
        said.append(_money(spending.cost, report.currency))
    purpose = _PURPOSES.get(tally.purpose)
    doing = voice.say(purpose) if purpose is not None else tally.purpose
    return f"• {doing}, {_name(tally.model)}: {', '.join(said)}"


def _remarks(report: UsageReport, voice: Voice) -> list[str]:
    """Say what the numbers leave out, as one paragraph or none."""
    remarks = []
    if any(one.tally.is_estimated for one in report.month):
        remarks.append(voice.say(Notice.USAGE_ESTIMATED))
    if report.budget.tokens and any(one.tally.purpose == EMBED for one in report.month):
        remarks.append(voice.say(Notice.USAGE_VECTORS_APART))
    unpriced = sorted({one.tally.model for one in report.month if one.cost is None})
    if unpriced:
        remarks.append(voice.say(Notice.USAGE_NO_PRICE, models=_listed(unpriced, voice)))
    return ["\n".join(remarks)] if remarks else []


def _listed(models: Sequence[str], voice: Voice) -> str:
    named = ", ".join(map(_name, models[:MOST_NAMED]))
    rest = len(models) - MOST_NAMED
    return voice.say(Notice.AND_MORE, listed=named, count=rest) if rest > 0 else named


def _name(model: str) -> str:
    """Show a model's name as it stands in the settings, without line breaks or markup."""
    plain = " ".join(model.replace("`", "'").split())
    return f"`{plain if len(plain) <= LONGEST_NAME else plain[: LONGEST_NAME - 1] + '…'}`"


def _short(number: int) -> str:
    """Write a number short (950, 3.4k, 120k, 1.25M): as many digits as a phone has room for."""
    for unit, size in (("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.3g}{unit}" if number < 999.5 * size else f"{number // size:,}{unit}"
    return str(number)


def _money(amount: Decimal, currency: str) -> str:
    if 0 < amount < CENT:
        return f"< {CENT} {currency}"
    return f"{amount.quantize(CENT) if amount else 0:,} {currency}"


class StatusScreen(Question):
    """Says how the bot is, in a sentence or two, with a button for whoever wants to know all of it."""

    def __init__(self, questions: Questions, voice: Voice, details: Callable[[], Awaitable[str]]) -> None:
        super().__init__(questions, voice, ran_out=None, for_managers=True)
        self._details = details
        label = voice.say(Notice.STATUS_DETAILS)
        button = discord.ui.Button[StatusScreen](label=label, custom_id=f"{self.number}details")
        button.callback = self._show  # type: ignore[method-assign] # as discord.py has it done
        self.add_item(button)

    async def _show(self, interaction: Interaction) -> None:
        with request("status"):
            await interaction.response.defer()
            await self.conclude(interaction, await self._details())


def _is_here(address: str) -> bool:
    """Say whether only a browser on this machine can open an address."""
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _ask_to_leave(
    memory: MemoryManager, questions: Questions, interaction: Interaction, guild: discord.Guild, voice: Voice
) -> None:
    """Ask whether to erase everything of a server and leave it; the question names it."""
    server = discord.utils.escape_markdown(discord.utils.escape_mentions(guild.name))

    async def erase(_: Interaction, on_progress: OnProgress) -> ErasureReport:
        return await memory.privacy.erase_guild(guild.id, on_progress)

    def farewell(gone: ErasureReport) -> str:
        """Say goodbye before leaving: nobody hears it afterwards."""
        return f"{describe_gone_of_guild(gone, server, voice)}\n{voice.say(Notice.LEAVE_GOODBYE)}"

    async def leave(pressed: Interaction) -> None:
        try:
            await guild.leave()
        except TROUBLE as error:
            logger.warning("could not leave a guild", extra={"reason": type(error).__name__})
            await answer(pressed, voice.say(Notice.LEAVE_NOT_LET))
            return
        try:
            # Whatever was said or noted between the erasure and the door.
            await memory.privacy.erase_guild(guild.id)
        except StoreError as error:
            logger.warning("the next purge removes the rest of a guild", extra={"reason": type(error).__name__})

    ask, yes = voice.say(Notice.LEAVE_ASK, server=server), voice.say(Notice.LEAVE_YES, server=guild.name)
    words, stays = (ask, yes, voice.say(Notice.LEAVE_NO)), Notice.LEAVE_STAYS
    await ask_to_erase(interaction, questions, voice, words, erase, farewell, stays, then=leave, for_managers=True)


class InnkeeperCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions, panel_url: str = "") -> None:
        super().__init__(name="innkeeper", description=described(Slash.INNKEEPER), guild_only=True)
        self._memory = memory
        self._bot_name = bot_name
        self._questions = questions
        self._panel_url = panel_url

    @app_commands.command(name="status", description=described(Slash.INNKEEPER_STATUS))
    async def status(self, interaction: Interaction) -> None:
        with request("status"):
            # Discord waits three seconds for an answer, and the database may take longer to say that it is away.
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            report = await self._memory.heartbeat.report()
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, how_it_is(report, voice))
                return
            guild_id, alone = interaction.guild_id, len(interaction.client.guilds) == 1
            said = [how_it_is(report, voice, guild_id), *await self._about_here(guild_id, voice)]

            async def details() -> str:
                return describe(await self._memory.heartbeat.report(), guild_id, voice, with_counts=alone)

            await StatusScreen(self._questions, voice, details).ask(interaction, "\n".join(said))

    @app_commands.command(name="about", description=described(Slash.INNKEEPER_ABOUT))
    async def about(self, interaction: Interaction) -> None:
        with request("about"):
            voice = voice_of(interaction, self._bot_name)
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                takes = (await self._memory.privacy.settings(interaction.guild_id or 0)).answers.takes_memories
            except StoreError:
                takes = True  # rather named in vain than not at all
            memories = voice.say(Notice.ABOUT_MEMORIES) if takes else ""
            await answer(interaction, voice.say(Notice.ABOUT_ME, memories=memories))

    @app_commands.command(name="panel", description=described(Slash.INNKEEPER_PANEL))
    async def panel(self, interaction: Interaction) -> None:
        """Give a link to the panel; whoever has it is taken for them, once: nobody else is shown it, and no log."""
        with request("panel"):
            voice = voice_of(interaction, self._bot_name)
            await interaction.response.defer(ephemeral=True, thinking=True)
            if interaction.guild_id is None:
                return
            try:
                link = await self._memory.access.link(interaction.guild_id, interaction.user.id)
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            said = [voice.say(Notice.PANEL_LINK, link=f"<{self._panel_url}/panel/enter/{link}>")]
            if _is_here(self._panel_url):
                said.append(voice.say(Notice.PANEL_HERE))
            await answer(interaction, "\n".join(said))

    @app_commands.command(name="usage", description=described(Slash.INNKEEPER_USAGE))
    async def usage(self, interaction: Interaction) -> None:
        voice = voice_of(interaction, self._bot_name)

        async def work(guild_id: int) -> str:
            return describe_usage(await self._memory.metering.usage(guild_id), voice)

        refused, away = Notice.USAGE_ONLY_MANAGERS, Notice.USAGE_UNKNOWN
        with request("usage"):
            await answer_manager(interaction, voice, work, refused=refused, away=away)

    @app_commands.command(name="setup", description=described(Slash.INNKEEPER_SETUP))
    async def setup(self, interaction: Interaction) -> None:
        voice = voice_of(interaction, self._bot_name)

        async def work(guild_id: int) -> str:
            if (guild := interaction.guild) is not None:
                settings = await self._memory.privacy.settings(guild_id)
                await Wizard(self._memory, self._questions, guild, settings, interaction, voice).begin(interaction)
            return ""

        with request("setup"):
            await answer_manager(interaction, voice, work)

    @app_commands.command(name="leave", description=described(Slash.INNKEEPER_LEAVE))
    async def leave(self, interaction: Interaction) -> None:
        with request("leave"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await _ask_to_leave(self._memory, self._questions, interaction, interaction.guild, voice)

    async def _about_here(self, guild_id: int, voice: Voice) -> list[str]:
        """Say what is kept of this server, and whether nobody has set us up in it. What is unknown is left out."""
        try:
            log = await self._memory.log.guild_log(guild_id)
            settings = await self._memory.privacy.settings(guild_id)
        except StoreError:
            return []
        said = [voice.say(Notice.STATUS_KEPT, count=log.messages)]
        if log.channels_read_back < log.channels:
            said.append(voice.say(Notice.STATUS_READING, done=log.channels_read_back, channels=log.channels))
        return said if settings.set_up_at is not None else [*said, voice.say(Notice.SETUP_SUGGESTED)]
