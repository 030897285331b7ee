"""An evening at the inns: canaries come in by every way, everything is derived from them, and each meets its fate."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from aiohttp import web

from memory.core.clock import SystemClock
from memory.importing.importer import Importer
from memory.settings import MemoryOptions
from tests.end_to_end.erasure.canaries import Canary
from tests.end_to_end.erasure.deletions import BRIDGED, TABLES
from tests.end_to_end.erasure.layout import Layout, Seed
from tests.end_to_end.erasure.registry import DELETIONS, Moment, Plot, Reach
from tests.end_to_end.erasure.searching import left_of, tables, until_gone
from tests.end_to_end.erasure.stage import PATIENCE_SECONDS, Inn, Stage
from tests.end_to_end.erasure.ways_in import speaker_of
from tests.end_to_end.erasure.web_pages import MUST_SHOW, look, must_open, must_open_nothing, sign_in
from tests.end_to_end.house import eventually
from tests.end_to_end.reminding import text_in
from tests.memory.privacy import exports
from tests.openai_faults import answering
from tests.openai_server import OpenAIServer, Payload, spoken
from tests.openai_server import data_of as asked_in

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
SESSION = timedelta(minutes=31)
NOT_AT_ONCE = (Reach.GUILD,)
UNDOABLE = "public.changes"
WHAT_IS_IT_CALLED = "what is our boat on the lake called?"
SPOKEN_TO_US = ("<told-", "<wish-")
"""Marks of what is asked about a command: people wait for it, and so would the next deletion."""
ASKED_ABOUT = 4
"""A share of the members of an inn of whom it is asked what is known of them: every so manieth."""


@dataclass
class Evening:
    stage: Stage
    layout: Layout
    done: list[str] = field(default_factory=list)
    """What happened, in its order."""

    # Coming in

    async def come_in(self) -> None:
        await self._plant(self.layout.at(Moment.BEFORE))
        await self.import_files()
        await self.stage.open()
        await self._until_at_home()
        await self._plant(self.layout.at(Moment.LIVE))
        await self.stage.bot.stop()
        await self._plant(self.layout.at(Moment.AWAY))
        await self.stage.start_bot()
        await self.until_kept([seed.canary for seed in self.layout.seeds])

    async def _plant(self, seeds: Sequence[Seed]) -> None:
        """In all inns at the same time, in each of them one after the other."""
        mixed = self.stage.rng.sample(seeds, len(seeds))
        inns = [[seed for seed in mixed if seed.plot.inn is inn] for inn in self.stage.inns.values()]
        await asyncio.gather(*map(self._plant_in_turn, inns))

    async def _plant_in_turn(self, seeds: Sequence[Seed]) -> None:
        for seed in seeds:
            await seed.way.plant(self.stage, seed.plot, seed.canary)

    async def import_files(self) -> None:
        """One for each channel, as somebody exported them before the bot came. The same files every time."""
        by_channel: dict[int, list[Canary]] = {}
        for canary in self.layout.by("imported text"):
            by_channel.setdefault(canary.channel_id, []).append(canary)
        options = MemoryOptions.model_validate(self.stage.memory_options)
        known = {inn.guild.id for inn in self.stage.inns.values() if self._has_bot(inn)}
        async with Importer.open(options, SystemClock()) as importing:
            for channel_id, canaries in by_channel.items():
                path, guild_id = self._exported(channel_id, canaries), canaries[0].guild_id
                if guild_id in known:
                    await importing.file(path, lambda _outcome: None, new_guild=guild_id)

    def _exported(self, channel_id: int, canaries: list[Canary]) -> Path:
        folder = self.stage.folder / "exports"
        folder.mkdir(exist_ok=True)
        path = folder / f"{channel_id}.json"
        if path.exists():
            return path
        messages, world = [], self.stage.server.world
        for canary in sorted(canaries, key=lambda one: one.message_id):
            message = world.message(channel_id, canary.message_id)
            assert message is not None
            author = exports.user(canary.author_id, world.users[canary.author_id].name)
            when = message.created_at.isoformat()
            messages.append(exports.exported(canary.message_id, message.content, author, timestamp=when))
        return exports.write(path, messages, guild=canaries[0].guild_id, channel=channel_id)

    async def _until_at_home(self) -> None:
        """Until the bot knows who may see what everywhere, and Discord knows its commands."""
        known = "SELECT guild_id FROM guilds WHERE places_run IS NOT NULL"
        await eventually(
            lambda: self.stage.rows(known), lambda rows: len(rows) == len(self.stage.inns), seconds=PATIENCE_SECONDS
        )

        async def commands() -> object:
            return self.stage.server.commands.listed()

        await eventually(commands, seconds=PATIENCE_SECONDS)

    async def until_kept(self, canaries: Sequence[Canary]) -> None:
        """All of them are in the tables: what never came in could not be erased either."""

        async def missing() -> list[str]:
            found = await tables(self.stage)
            return [str(canary) for canary in canaries if canary.needle not in found]

        lost = await until_gone(missing)
        assert not lost, f"never came in: {lost}"

    # What is made of it

    async def derive(self) -> None:
        """Twice, with a night after each: a history needs several days."""
        await self.until_indexed()
        await self.stage.pass_time(SESSION)
        await self.stage.bot.order("memories")
        assert await self.stage.rows("SELECT 1 FROM facts WHERE standing = 'let_on' LIMIT 1"), "nothing was taken"
        await self.post_digests()
        await self._ask_without_model()
        for _ in range(2):
            await self.until_indexed()
            await self.ask_everywhere()
            await self.stage.pass_time(DAY)
            await self.stage.bot.order("night")
        await self.ask_everywhere()
        await eventually(self._kinds_that_tell, {"week", "context"}.issubset, seconds=PATIENCE_SECONDS)
        await self.look_beside()
        shown = await look(self.stage, ["inn"])
        assert [path for path in MUST_SHOW if not shown[path]] == [], "a page shows nothing of what was said"

    async def _kinds_that_tell(self) -> set[str]:
        """Kinds of texts made of days, among them those that are made of other such texts, in which canaries stand."""
        rows = await self.stage.rows("SELECT kind, text FROM texts")
        return {row["kind"] for row in rows if self.stage.canaries.within(row["text"])}

    async def _ask_without_model(self) -> None:
        """What is said then is quoted word for word."""
        self.stage.model.fault = answering(500)
        try:
            await self._ask([self.stage.inns["inn"]])
        finally:
            self.stage.model.fault = None

    async def until_indexed(self) -> None:
        behind = """
            SELECT 1 FROM chat_history LEFT JOIN index_state USING (guild_id)
            WHERE seq > coalesce(least(words_through, vectors_through), 0) LIMIT 1"""
        await eventually(lambda: self.stage.rows(behind), lambda rows: not rows, seconds=PATIENCE_SECONDS)

    async def ask_everywhere(self) -> None:
        await self._ask(list(self.stage.inns.values()))

    async def _ask(self, inns: Sequence[Inn]) -> None:
        await asyncio.gather(*(self._ask_in(inn) for inn in inns if self._has_bot(inn)))

    async def _ask_in(self, inn: Inn) -> None:
        rng, bot_id = self.stage.rng, self.stage.server.world.bot.id
        people = [self.stage.server.world.users[one] for one in self._members(inn)]
        about = rng.sample(people, -(-len(people) // ASKED_ABOUT))
        questions = [f"<@{bot_id}> {WHAT_IS_IT_CALLED}", "Bot, what happened today?", "Bot, what happened yesterday?"]
        questions.append("Bot, where were we?")
        questions += [f"Bot, what do you know about <@{one.id}>?" for one in about]
        for question in questions:
            await self.stage.ask(rng.choice(inn.people[:3]), rng.choice(inn.channels[:3]), question)

    async def post_digests(self) -> None:
        """By a model, and the loudest place there is. At nine there is another one, of the next day."""
        for inn in self.stage.inns.values():
            here = inn.channels[0]
            given = {"channel": str(here.id), "least": 1}
            await self.stage.command(inn.owner, here, "digest", "setup", given=given)
            await self.stage.command(inn.owner, here, "digest", "now")
            said = [text_in(one) for one in self.stage.bots_messages() if one.channel_id == here.id]
            posted = next(one for one in said if "📰" in one)
            assert self.stage.canaries.within(posted), f"a digest tells of nothing: {posted}"

    async def look_beside(self) -> None:
        """The other process shows people all that it can, and so has it at hand."""
        await look(self.stage)

    def _members(self, inn: Inn) -> list[int]:
        users = self.stage.server.world.users
        return [one for one in self.stage.server.world.members(inn.guild.id) if not users[one].bot]

    def _has_bot(self, inn: Inn) -> bool:
        world = self.stage.server.world
        return world.bot.id in world.members(inn.guild.id)

    # What goes

    async def delete(self, plots: Sequence[Plot]) -> None:
        """While something is being made of it, and with the bot here or away."""
        present = [plot for plot in plots if DELETIONS[plot.fate].needs_bot]
        away = [plot for plot in plots if not DELETIONS[plot.fate].needs_bot]
        for plot in present:
            if DELETIONS[plot.fate].reach is Reach.MEMBER:
                plot.keys = await sign_in(self.stage, plot.inn, plot.author)
                await must_open(self.stage, plot)
        async with self._model_thinking():
            working = [
                asyncio.create_task(self._ask(self.stage.rng.sample(list(self.stage.inns.values()), 2))),
                asyncio.create_task(self.look_beside()),
                asyncio.create_task(self.stage.bot.order("night")),
            ]
            await asyncio.sleep(self.stage.rng.uniform(0, 0.3))
            for plot in present:
                await self._carry_out(plot)
        await asyncio.gather(*working)
        for plot in present:
            if all(plot.keys):
                await must_open_nothing(self.stage, plot)
        if away:
            await self.stage.bot.stop()
            for plot in away:
                await self._carry_out(plot)
            await self.stage.start_bot()
        elif self.stage.rng.random() < 0.5:
            await self.stage.restart_bot(kill=self.stage.rng.random() < 0.5)

    async def _carry_out(self, plot: Plot) -> None:
        await DELETIONS[plot.fate].carry_out(self.stage, plot)
        self.done.append(plot.fate)
        for canary in plot.canaries:
            canary.gone = True

    async def time_goes_by(self) -> None:
        """Over everything that is kept for a while: what can be undone, a guild that was left, what lies at hand."""
        await self._until_noticed()
        await self.stage.pass_time(9 * DAY)
        await self.stage.bot.order("purge")
        await self.stage.bot.order("night")
        await self.look_beside()

    async def _until_noticed(self) -> None:
        """What was deleted is out of use, but for what can still be undone: only then its time begins to run."""
        gone = [one for one in self.stage.canaries.gone() if DELETIONS[one.fate].reach not in NOT_AT_ONCE]

        async def in_use() -> list[str]:
            found = await tables(self.stage)
            left = {one: left_of(one, found, TABLES) for one in gone if one.needle in found}
            return [f"{one}: {where}" for one, where in left.items() if where not in ("", UNDOABLE)]

        left = await until_gone(in_use)
        if left:
            await self.stage.tell_why(gone)
        assert not left, f"still in use after {self.done}: {left}"

    # What might bring it back

    async def bring_back(self) -> None:
        await self._write_as_if_nothing_had_happened()
        await self.import_files()
        await self.stage.rows("DELETE FROM channel_progress")
        await self.stage.restart_bot(kill=True)
        unread = "SELECT 1 FROM channel_progress WHERE NOT backfill_done"
        read = "SELECT 1 FROM channel_progress WHERE backfill_done"
        await eventually(lambda: self.stage.rows(read), seconds=PATIENCE_SECONDS)
        await eventually(lambda: self.stage.rows(unread), lambda rows: not rows, seconds=PATIENCE_SECONDS)
        await self.stage.pass_time(DAY)
        await self.stage.bot.order("purge")  # what was read again of those who opted out is noted until then
        await self.stage.bot.order("night")
        await self.until_indexed()
        await self.ask_everywhere()
        await self.look_beside()

    async def _write_as_if_nothing_had_happened(self) -> None:
        """The other process has never heard of a deletion, and still has what it once read."""
        lost = [canary for canary in self.stage.canaries.gone() if canary.message_id]
        known = {inn.guild.id for inn in self.stage.inns.values() if self._has_bot(inn)}
        messages = [
            {
                "guild_id": canary.guild_id,
                "channel_id": canary.channel_id,
                "message_id": canary.message_id,
                "author_id": canary.author_id,
                "text": f"Our boat on the lake is called {canary.token}",
                "speaker": speaker_of(canary) if canary.way == BRIDGED else None,
            }
            for canary in lost
            if canary.guild_id in known and "edited" not in canary.fate
        ]
        await self.stage.beside.order("bring", messages=messages)

    async def must_have_stayed(self) -> None:
        """A bot that forgets everything leaves no traces either."""
        await self.until_kept([canary for plot in self.layout.kept for canary in plot.canaries])
        for plot in self.layout.kept:
            asked = f"Bot, what do you know about <@{plot.author.id}>?"
            answer = await self.stage.ask(plot.inn.people[0], plot.channel, asked)
            assert answer is not None
            told_of = self.stage.canaries.within(answer.content)
            assert any(canary in plot.canaries for canary in told_of), (
                f"nothing is told of who stayed: {answer.content}"
            )

    @asynccontextmanager
    async def _model_thinking(self) -> AsyncIterator[None]:
        """It has been asked, and answers with what it was given only when the block has ended."""
        may_speak = asyncio.Event()

        async def think(server: OpenAIServer, request: web.Request, body: Payload) -> web.StreamResponse:
            asked = asked_in(body)
            if not any(mark in asked for mark in SPOKEN_TO_US):
                await may_speak.wait()
            return web.json_response(spoken(server.says(asked)))

        self.stage.model.fault = think
        try:
            yield
        finally:
            may_speak.set()
            self.stage.model.fault = None


def announce(line: str) -> None:
    sys.stdout.write(f"erasure: {line}\n")
