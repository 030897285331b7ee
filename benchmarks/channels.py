"""Measures how good what is told of a channel is without a model, and what of it is found after many summaries.

Of meetings (`MEETINGS_DATA`, a folder with `meetings.jsonl`: turns, topics and questions, each with spans of turns):
where a conversation turns, what a question brings back, and what is quoted about something. Of summaries whose errors
people marked (`FAITHFUL_DATA`, a folder with `sentences.jsonl`): how well the quality score tells them apart. None of
that data belongs to the project. Then, without data: facts that are told early in a channel, and which of them still
stand in its summaries, and which are found by asking, after up to 30 summaries.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from aiohttp import web
from pydantic import SecretStr

from ai_clients.base import Purpose
from ai_clients.build import without_models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.gemini import GeminiApi, GeminiModel
from ai_clients.guard import Guard
from ai_clients.settings import ModelOptions
from benchmarks.bot_here import open_folder
from benchmarks.figures import Bar, Figure, at_least, at_most, table
from memory.channels.make import Channel, SummaryMaker, SummaryOutcome
from memory.channels.prompt import Told, quality, without_model
from memory.channels.store import ChannelSummaryStore
from memory.channels.topics import RELEVANT, Parts, parts_of, told_about, turns
from memory.channels.values import Policy, SummaryRules
from memory.core.clock import SetClock
from memory.core.values import AuthorKind, Guild, Member, Message, Question, last_id_of
from memory.db.database import Database
from memory.diagnosis import connection_source
from memory.health import Health
from memory.language.detect import word_set
from memory.leases import Leases, LeaseStore
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.places.view import Audience
from memory.settings import MemoryOptions

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
GUILD, CHANNEL, ASKED_IN = 1, 10, 11
VIEW, RECENT = 200, 50
"""Messages of the mid-term view, and of what is newer."""
_NOISE = re.compile(r"\{[^}]*\}")


# Meetings: turns of talk with the spans of their topics and of what answers a question.


@dataclass(frozen=True, slots=True)
class MeetingQuestion:
    text: str
    spans: tuple[tuple[int, int], ...]
    """Places from the first to the last."""
    topic: frozenset[int]
    """Places of its spans and of the topics that they are of."""
    is_topic: bool

    @property
    def places(self) -> frozenset[int]:
        return _places(self.spans)


@dataclass(frozen=True, slots=True)
class Meeting:
    messages: list[Message]
    cuts: list[int]
    questions: list[MeetingQuestion]


def meetings_in(folder: Path) -> list[Meeting]:
    lines = (folder / "meetings.jsonl").read_text(encoding="utf-8").splitlines()
    return [_meeting(json.loads(line)) for line in lines]


def _meeting(line: dict[str, Any]) -> Meeting:
    speakers = {turn["speaker"]: number for number, turn in enumerate(line["turns"], start=1)}
    messages = [
        _said(place, speakers[turn["speaker"]], _NOISE.sub("", turn["text"]))
        for place, turn in enumerate(line["turns"])
    ]
    topics = [_spans(topic) for topic in line["topics"]]
    edges = sorted({edge for spans in topics for first, last in spans for edge in (first, last + 1)})
    cuts: list[int] = []
    for edge in edges:
        if 0 < edge < len(messages) and (not cuts or edge - cuts[-1] >= 3):
            cuts.append(edge)
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(speakers, key=len, reverse=True)))})\b(?:'s)?")
    asked = [(one["query"], _spans(one), False) for one in line["queries"]]
    asked += [(one["topic"], _spans(one), True) for one in line["topics"]]
    questions = [
        MeetingQuestion(names.sub(" ", text), spans, _whole_topics(spans, topics), is_topic)
        for text, spans, is_topic in asked
    ]
    return Meeting(messages, cuts, questions)


def _said(place: int, author_id: int, text: str) -> Message:
    at = NOON + timedelta(seconds=20 * place)
    return Message(GUILD, CHANNEL, place + 1, author_id, AuthorKind.PERSON, text, at)


def _spans(line: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    return tuple((int(first), int(last)) for first, last in line["relevant_text_span"])


def _places(spans: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(place for first, last in spans for place in range(first, last + 1))


def _whole_topics(spans: tuple[tuple[int, int], ...], topics: Iterable[tuple[tuple[int, int], ...]]) -> frozenset[int]:
    """Add to the spans all of each topic that holds half of them."""
    asked = _places(spans)
    holding = [places for places in map(_places, topics) if 2 * len(places & asked) >= len(asked)]
    return asked.union(*holding)


# Where a conversation turns: Pk and WindowDiff, the less the better.

MOST_PK, LEAST_GAIN = 0.41, 0.05


def turn_errors(length: int, cuts: Sequence[int], found: Sequence[int]) -> tuple[float, float]:
    """Tell for windows of half a topic how often it is wrong whether they cross a cut, and how many cuts they cross."""
    window = max(2, round(length / (len(cuts) + 1) / 2))
    pk = differs = 0
    for first in range(length - window):
        really = bisect_right(cuts, first + window) - bisect_right(cuts, first)
        said = bisect_right(found, first + window) - bisect_right(found, first)
        pk += (really > 0) != (said > 0)
        differs += really != said
    return pk / (length - window), differs / (length - window)


async def turn_figures(meetings: Sequence[Meeting]) -> list[Figure]:
    found = [await turns(meeting.messages) for meeting in meetings]
    ways: dict[str, list[list[int]]] = {
        "": found,
        " of as many even cuts": [_even(one, len(cuts)) for one, cuts in zip(meetings, found, strict=True)],
        " of even cuts, as many as people made": [_even(one, len(one.cuts)) for one in meetings],
        " of no cut": [[] for _ in meetings],
    }
    said = f"turns of {len(meetings)} meetings"
    errors = {
        name: [turn_errors(len(one.messages), one.cuts, cuts) for one, cuts in zip(meetings, way, strict=True)]
        for name, way in ways.items()
    }
    pk = {name: mean(one for one, _ in some) for name, some in errors.items()}
    return [
        *(Figure(f"{said}: Pk{name}", value, "", at_most(MOST_PK) if not name else None) for name, value in pk.items()),
        *(Figure(f"{said}: WindowDiff{name}", mean(one for _, one in some), "") for name, some in errors.items()),
        Figure(f"{said}: cuts in a meeting, found", mean(map(len, found)), ""),
        Figure(
            f"{said}: Pk less than as many even cuts by", pk[" of as many even cuts"] - pk[""], "", at_least(LEAST_GAIN)
        ),
    ]


def _even(meeting: Meeting, count: int) -> list[int]:
    return [round(len(meeting.messages) * (place + 1) / (count + 1)) for place in range(count)]


# What is quoted about something: how many quotes lie in a span of the question, how many spans are quoted.

LEAST_PRECISION, LEAST_RECALL = 0.28, 0.62


async def citation_figures(meetings: Sequence[Meeting], vectors: StaticVectors) -> list[Figure]:
    about, whole = [], []
    for meeting in meetings:
        of_all = without_model(meeting.messages)
        for question in (one for one in meeting.questions if not one.is_topic):
            about.append((question, await told_about(meeting.messages, question.text, vectors)))
            whole.append((question, of_all))
    bars = at_least(LEAST_PRECISION), at_least(LEAST_RECALL)
    return [*_citations("quoted about it", about, bars), *_citations("quoted of the whole", whole, (None, None))]


def _citations(
    name: str, answers: Sequence[tuple[MeetingQuestion, Told | None]], bars: tuple[Bar | None, Bar | None]
) -> list[Figure]:
    precisions: list[float] = []
    recalls: list[bool] = []
    for question, told in answers:
        cited = {message_id - 1 for message_id in told.cites} if told is not None else set()
        precisions += [len(cited & question.places) / len(cited)] if cited else []
        recalls += [not cited.isdisjoint(_places([span])) for span in question.spans]
    said = f"what was said about X, {len(answers)} questions, {name}"
    return [
        Figure(f"{said}: precision", mean(precisions), "", bars[0]),
        Figure(f"{said}: recall of spans", mean(recalls), "", bars[1]),
        Figure(f"{said}: without a quote", len(answers) - len(precisions), ""),
    ]


# What a question brings back: of what is said to be as relevant, how much is of its topic. Judged by weights that were
# fitted on the other meetings.

LEAST_RIGHT = 0.7


@dataclass(frozen=True, slots=True)
class View:
    """Holds a question with the mid-term messages that hold one of its words."""

    meeting: int
    parts: list[Parts]
    is_topic: list[bool]
    is_span: list[bool]
    has_topic: bool
    """Whether anything in view is of its topic."""


async def views_of(meetings: Sequence[Meeting], vectors: StaticVectors) -> list[View]:
    found = []
    for number, meeting in enumerate(meetings):
        for question in meeting.questions:
            for first in range(0, len(meeting.messages) - RECENT, VIEW):
                view = meeting.messages[first : first + VIEW + RECENT]
                middle = range(first, min(first + VIEW, len(meeting.messages)))
                parts = (await parts_of(question.text, view, vectors))[: len(middle)]
                held = [(one, place) for one, place in zip(parts, middle, strict=True) if one.holds]
                is_topic = [place in question.topic for _, place in held]
                is_span = [place in question.places for _, place in held]
                has_topic = not question.topic.isdisjoint(middle)
                found.append(View(number, [one for one, _ in held], is_topic, is_span, has_topic))
    return found


def fitted(views: Sequence[View]) -> tuple[float, ...]:
    """Fit a logistic by Newton's steps: the bias, and the weight of each part."""
    rows = np.array([(1.0, one.near, one.alike) for view in views for one in view.parts])
    wanted = np.array([right for view in views for right in view.is_topic], dtype=float)
    weights = np.zeros(rows.shape[1])
    for _ in range(20):
        said = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (said - wanted)
        weights -= np.linalg.solve((rows * (said * (1 - said))[:, None]).T @ rows, slope)
    return tuple(float(weight) for weight in weights)


def returning_figures(views: Sequence[View]) -> list[Figure]:
    """Measure each meeting by weights from the others."""
    right: list[bool] = []
    spanned: list[bool] = []
    in_topic = elsewhere = 0
    for number in sorted({view.meeting for view in views}):
        bias, by_words, by_meaning = fitted([view for view in views if view.meeting != number])
        for view in (view for view in views if view.meeting == number):
            said = [1 / (1 + np.exp(-(bias + by_words * one.near + by_meaning * one.alike))) for one in view.parts]
            taken = [place for place, relevance in enumerate(said) if relevance >= RELEVANT]
            right += [view.is_topic[place] for place in taken]
            spanned += [view.is_span[place] for place in taken]
            in_topic += bool(taken) and view.has_topic
            elsewhere += bool(taken) and not view.has_topic
    with_topic = sum(view.has_topic for view in views)
    said_of = f"returning, {len(views)} views of {VIEW}"
    return [
        Figure(f"{said_of}: messages at {RELEVANT} or more", len(right), ""),
        Figure(f"{said_of}: of these in the topic asked about", mean(right or [0]), "", at_least(LEAST_RIGHT)),
        Figure(f"{said_of}: of these in the very span", mean(spanned or [0]), ""),
        Figure(f"{said_of}: views with the topic that bring some", in_topic / with_topic, ""),
        Figure(f"{said_of}: views without it that bring some", elsewhere / (len(views) - with_topic), ""),
    ]


# How well the quality score tells sentences that are right from those that are not.

LEAST_AUC = 0.68


def quality_figures(folder: Path) -> list[Figure]:
    scores: dict[bool, list[float]] = {True: [], False: []}
    for line in map(json.loads, (folder / "sentences.jsonl").read_text(encoding="utf-8").splitlines()):
        spoken = [utterance.partition(":") for utterance in line["utterances"]]
        ids = {
            name: number for number, name in enumerate(dict.fromkeys(name.strip() for name, _, _ in spoken), start=1)
        }
        messages = [_said(place, ids[name.strip()], text.strip()) for place, (name, _, text) in enumerate(spoken)]
        sentence = line["sentence"]
        for name in sorted(ids, key=len, reverse=True):
            sentence = re.sub(rf"\b{re.escape(name)}\b", f"<@{ids[name]}>", sentence)
        score = quality(sentence, messages)
        scores[not line["errors"]].append(score)
    pairs = [(right > wrong) + 0.5 * (right == wrong) for right in scores[True] for wrong in scores[False]]
    said = f"quality of {len(scores[True]) + len(scores[False])} sentences: AUC"
    return [Figure(said, mean(pairs), "", at_least(LEAST_AUC))]


# What survives: facts told early in a channel, looked for in its summaries and by asking.

NOTED_AFTER, NOTED_AFTER_IN_FULL = (10,), (1, 5, 10, 20, 30)
"""Summaries."""
BEFORE_THE_FIRST, BEFORE_EACH = 50, 10
"""Messages before a summary; the first ones are the facts."""
LEAST_FOUND = 95.0
ALICE, BOB, STRANGER = 1, 2, 3
_THINGS = word_set(
    "copper silver walnut marble velvet cedar bamboo granite amber ivory cobalt crimson saffron olive indigo maroon"
    " turquoise scarlet emerald hazel pewter bronze linen denim suede canvas rubber plastic ceramic crystal birch maple"
    " willow poplar ebony coral jade opal quartz topaz"
)
_TALK = (
    ("the weather", "this song", "my neighbour", "that film", "the bus", "our garden", "the bakery", "a stray cat"),
    ("was lovely", "kept me awake", "made me laugh", "turned out better than planned", "annoyed everybody"),
    ("on the way home", "before breakfast", "during lunch", "the other night", "at the market", "when it rained"),
)
_BEFORE = re.compile(r"<before-\w+>\n(.*?)\n</before", re.DOTALL)
_CITED = re.compile(r"[^\[\]]+(?:\[\d+\])+[.!?]*\s*")
_LINE = re.compile(r'<message n="(\d+)"[^>]*author="(@P\d+|someone)">([^<]*)</message>')


@dataclass(frozen=True, slots=True)
class Fact:
    text: str
    question: str
    value: str


_FACTS = (
    ("The code of the {thing} locker is {number}.", "What is the code of the {thing} locker?"),
    ("We ordered {number} {thing} lamps for the cellar.", "How many {thing} lamps did we order?"),
    ("My {thing} van has driven {number} kilometres since May.", "How far has the {thing} van driven?"),
    ("Somebody painted {number} on the {thing} door behind the library.", "What is painted on the {thing} door?"),
    ("The {thing} printer upstairs has the serial number {number}.", "Which serial number has the {thing} printer?"),
    ("Train {number} brings the {thing} statue to Lisbon.", "Which train brings the {thing} statue?"),
    ("I counted {number} birds around the {thing} tower yesterday.", "How many birds were at the {thing} tower?"),
    ("Please send the {thing} parcels to postbox {number}.", "To which postbox go the {thing} parcels?"),
)


def facts() -> list[Fact]:
    found = []
    for place, thing in enumerate(sorted(_THINGS)):
        number = str(4000 + 37 * place)
        text, question = (one.format(thing=thing, number=number) for one in _FACTS[place % len(_FACTS)])
        found.append(Fact(text, question, number))
    return found


def minutes(data: str, chance: random.Random, aim: int) -> str:
    """Write minutes as a model that does as it is told: it keeps as much as fits, and holds no sentence dearer."""
    before = [sentence.strip() for text in _BEFORE.findall(data) for sentence in _CITED.findall(text)]
    known = {int(number) for sentence in before for number in re.findall(r"\[(\d+)\]", sentence)}
    new = [
        f"{author} said that {text.rstrip('.')} [{number}]."
        for number, author, text in _LINE.findall(data)
        if int(number) not in known
    ]
    kept = [*before, *new]
    while sum(map(len, kept)) + len(kept) > aim:
        kept.pop(chance.randrange(len(kept)))
    return " ".join(kept)


@asynccontextmanager
async def scripted_chain(aim: int = 1_600) -> AsyncIterator[Chain]:
    """Serve a model on loopback that speaks Gemini's wire format."""
    chance = random.Random(1)

    async def speak(request: web.Request) -> web.Response:
        body = await request.json()
        data = "\n".join(part["text"] for content in body["contents"] for part in content["parts"])
        said = {"role": "model", "parts": [{"text": json.dumps({"summary": minutes(data, chance, aim)})}]}
        usage = {"promptTokenCount": 500, "candidatesTokenCount": 300, "totalTokenCount": 800}
        return web.json_response(
            {"candidates": [{"content": said, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
        )

    app = web.Application(client_max_size=100_000_000)
    app.router.add_post("/{version}/models/{name}:{method}", speak)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    given = {"GEMINI_API_KEY": SecretStr("a key that opens nothing"), "GOOGLE_GEMINI_BASE_URL": url}
    model = GeminiModel("gemini-scripted", GeminiApi(ModelOptions.model_validate(given)), seconds=20)
    try:
        yield Chain(Purpose.SUMMARISE, [Link(model, Guard(model.name))], 20)
    finally:
        await model.close()
        await runner.cleanup()


class Survival:
    """Sums up a channel again and again."""

    def __init__(
        self, manager: MemoryManager, database: Database, clock: SetClock, health: Health, noted_after: Sequence[int]
    ) -> None:
        self._noted_after = noted_after
        self._manager, self._clock, self._health = manager, clock, health
        self._store = ChannelSummaryStore(database)
        self._leases = Leases(LeaseStore(database), clock, health)
        self._chance = random.Random(2)
        self._last_id = 0

    async def figures(self, guild_id: int, policy: Policy, chain: Chain | None) -> list[Figure]:
        members = [Member(guild_id, user_id, name) for user_id, name in ((ALICE, "alice"), (BOB, "bob"))]
        await self._manager.people.meet_guild(Guild(guild_id, "Measured"), members, complete=True)
        metering = self._manager.metering
        maker = SummaryMaker(self._store, self._leases, metering, chain, self._clock, self._health)
        rules = SummaryRules(policy=policy)
        told = facts()
        said = f"survival, {policy.value}, {'quoted' if chain is None else 'by a scripted model'}: of {len(told)} facts"
        figures, found = [], []
        await self._say(guild_id, [fact.text for fact in told])
        for number in range(1, self._noted_after[-1] + 1):
            count = BEFORE_THE_FIRST - len(told) if number == 1 else BEFORE_EACH
            await self._say(guild_id, [self._small_talk() for _ in range(count)])
            outcome = await maker.make(Channel(guild_id, CHANNEL, "UTC", rules, Requester(ASKED_IN, number)))
            if outcome is not (SummaryOutcome.QUOTED if chain is None else SummaryOutcome.MADE):
                raise RuntimeError(f"summary {number} by {policy.value}: {outcome}")
            if number in self._noted_after:
                texts = " ".join(
                    one.text
                    for one in await self._store.told(Audience.of_place_alone(guild_id, CHANNEL), CHANNEL, policy)
                )
                standing = sum(fact.value in texts for fact in told)
                figures.append(Figure(f"{said}, in the text after {number}", standing, ""))
                found.append(await self._found(guild_id, told))
        by_recall, by_answer = (100 * min(shares) for shares in zip(*found, strict=True))
        return [
            *figures,
            Figure(f"{said}, among ten found by asking, the least of all times", by_recall, "%", at_least(LEAST_FOUND)),
            Figure(f"{said}, in an answer without a model, the least of all times", by_answer, "%"),
        ]

    async def _say(self, guild_id: int, texts: Sequence[str]) -> None:
        for place, text in enumerate(texts):
            self._clock.move(timedelta(minutes=1))
            author = (ALICE, BOB)[place % 2]
            sent_at = self._clock.now()
            message = Message(guild_id, CHANNEL, last_id_of(sent_at), author, AuthorKind.PERSON, text, sent_at)
            await self._manager.ingest_message(message)
        await self._manager.log.settled()

    def _small_talk(self) -> str:
        return " ".join(self._chance.choice(some) for some in _TALK)

    async def _found(self, guild_id: int, told: Sequence[Fact]) -> tuple[float, float]:
        await self._manager.indexer.catch_up()
        audience = Audience(guild_id, ASKED_IN, frozenset((CHANNEL, ASKED_IN)))
        recalled, answered = 0, 0
        for fact in told:
            self._clock.move(timedelta(seconds=1))
            now = self._clock.now()
            found = await self._manager.recall.search(fact.question, audience, STRANGER, now, 10)
            recalled += any(fact.value in one.message.text for one in found)
            question = Question(guild_id, ASKED_IN, last_id_of(now), STRANGER, fact.question, now)
            answered += fact.value in (await self._manager.answers.answer(question, audience)).text
        return recalled / len(told), answered / len(told)


async def survival_figures(noted_after: Sequence[int]) -> list[Figure]:
    figures: list[Figure] = []
    with open_folder() as folder:
        clock = SetClock(NOON)
        health = Health("bot", clock)
        options = MemoryOptions(data_dir=folder / "data", database_url=None)
        manager = await MemoryManager.open(options, clock=clock, health=health, models=without_models())
        database = await Database.open(connection_source(options))
        try:
            async with scripted_chain() as chain:
                survival = Survival(manager, database, clock, health, noted_after)
                ways = [(policy, made_by) for policy in (Policy.ROLLING, Policy.LEVELS) for made_by in (None, chain)]
                for guild_id, (policy, made_by) in enumerate(ways, start=1):
                    figures += await survival.figures(guild_id, policy, made_by)
        finally:
            await database.close()
            await manager.close()
    return figures


async def measure(full: bool) -> list[Figure]:
    """Measure, among the other benchmarks, what needs data only where it is."""
    figures: list[Figure] = []
    if folder := os.environ.get("MEETINGS_DATA"):
        meetings, vectors = meetings_in(Path(folder)), StaticVectors()
        figures += await turn_figures(meetings)
        figures += await citation_figures(meetings, vectors)
        figures += returning_figures(await views_of(meetings, vectors))
    else:
        print("channels: no meetings; name their folder by MEETINGS_DATA.", file=sys.stderr)
    if folder := os.environ.get("FAITHFUL_DATA"):
        figures += quality_figures(Path(folder))
    else:
        print("channels: no marked summaries; name their folder by FAITHFUL_DATA.", file=sys.stderr)
    return figures + await survival_figures(NOTED_AFTER_IN_FULL if full else NOTED_AFTER)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.channels", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="only print the weights of memory.channels.topics anew")
    if parser.parse_args().fit:
        folder = Path(os.environ["MEETINGS_DATA"])
        print(fitted(asyncio.run(views_of(meetings_in(folder), StaticVectors()))))
        return 0
    figures = asyncio.run(measure(full=False))
    print(table(figures))
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
