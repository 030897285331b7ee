"""A chain answers with the first model that can, in its time, whatever the others do."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ai_clients.base import Call, Outcome, Prompt, Purpose
from ai_clients.chain import Chain, Link
from ai_clients.errors import (
    BadReply,
    BudgetExhausted,
    KeyRefused,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
)
from ai_clients.guard import ATTEMPTS, REST_WHEN_MISCONFIGURED, Guard, State
from ai_clients.settings import Limits
from tests.ai_clients.scripted import FOR_EVER, USAGE, Said, Scripted, Step, Taking
from tests.virtual_time import now, virtually

PROMPT = Prompt("Be brief.", "What is tea?")
SECONDS = 20.0


class Tea(BaseModel):
    minutes: int


def chain_of(*models: Scripted, limits: Limits | None = None) -> Chain:
    links = [Link(model, Guard(model.name, limits, now=now)) for model in models]
    return Chain(Purpose.ANSWER, links, SECONDS)


@pytest.mark.parametrize(
    ("error", "asked", "outcome"),
    [
        (Unavailable("x"), ATTEMPTS, Outcome.UNAVAILABLE),
        (RateLimited("x"), ATTEMPTS, Outcome.RATE_LIMITED),
        (RateLimited("x", 1.5), 2, Outcome.RATE_LIMITED),
        (RateLimited("x", 5.0), 1, Outcome.RATE_LIMITED),
        (RateLimited("x", 500.0), 1, Outcome.RATE_LIMITED),
        (TimedOut("x"), ATTEMPTS, Outcome.TIMED_OUT),
        (Refused("x"), 1, Outcome.REFUSED),
        (KeyRefused("x"), 1, Outcome.REFUSED),
        (ModelGone("x"), 1, Outcome.REFUSED),
        (BadReply("x"), 2, Outcome.BAD_REPLY),
    ],
)
@virtually
async def test_only_what_may_pass_is_tried_again_before_the_next_serves(
    error: ModelError, asked: int, outcome: Outcome
) -> None:
    calls: list[Call] = []
    first, second = Scripted("first", [error]), Scripted("second")
    reply = await chain_of(first, second).generate_as(PROMPT, Said, on_call=calls.append)
    assert reply.model == "second"
    assert len(first.asked_at) == asked
    assert [call.outcome for call in calls] == [outcome] * asked + [Outcome.OK]
    assert [call.usage for call in calls] == [None] * asked + [USAGE]


@pytest.mark.parametrize("heeds", [True, False])
@virtually
async def test_a_model_that_hangs_leaves_time_for_the_next(heeds: bool) -> None:
    """Even one that does not stop when it is told to."""
    first, second = Scripted("first", [Taking(3600, heeds=heeds)]), Scripted("second", [Taking(7.9, "yes")])
    reply = await chain_of(first, second).generate_as(PROMPT, Said)
    assert reply.model == "second"
    assert now() < SECONDS


@virtually
async def test_after_one_hang_nobody_waits_for_that_model_until_it_has_rested() -> None:
    alone = chain_of(Scripted("m", [Taking(FOR_EVER), "back"]))
    with pytest.raises(TimedOut):
        await alone.generate_as(PROMPT, Said)
    before = now()
    with pytest.raises(Unavailable):
        await alone.generate_as(PROMPT, Said)
    assert now() == before
    first, second = Scripted("first", [Taking(FOR_EVER)]), Scripted("second")
    chain = chain_of(first, second)
    assert (await chain.generate_as(PROMPT, Said)).model == "second"
    before = now()
    assert (await chain.generate_as(PROMPT, Said)).model == "second"
    assert now() == before
    await asyncio.sleep(60)
    assert (await alone.generate_as(PROMPT, Said)).value.text == "back"


@pytest.mark.parametrize(("delay", "seconds"), [(5.0, 5.0), (11.0, 0.0), (60.0, 0.0)])
@virtually
async def test_whoever_waits_has_a_delay_waited_for_once_and_only_if_time_to_answer_is_left(
    delay: float, seconds: float
) -> None:
    with pytest.raises(RateLimited):
        await chain_of(Scripted("m", [RateLimited("x", delay)])).generate_as(PROMPT, Said)
    assert now() == pytest.approx(seconds, abs=0.2)


@pytest.mark.parametrize("error", [ModelGone("404"), RateLimited("429", 60.0)], ids=lambda error: type(error).__name__)
@virtually
async def test_what_one_chain_learns_holds_for_the_others(error: ModelError) -> None:
    gone = Scripted("gone", [error, "back"])
    shared, spare = Link(gone, Guard("gone", now=now)), Scripted("spare")
    for purpose in (Purpose.ANSWER, Purpose.SUMMARISE):
        links = [shared, Link(spare, Guard("spare", now=now))]
        assert (await Chain(purpose, links, 20).generate_as(PROMPT, Said)).model == "spare"
    assert len(gone.asked_at) == 1
    await asyncio.sleep(REST_WHEN_MISCONFIGURED)
    assert (await Chain(Purpose.ANSWER, [shared], 20).generate_as(PROMPT, Said)).value.text == "back"
    assert shared.guard.status().state is State.CLOSED, "in health it is well, whatever it is not asked for"


@virtually
async def test_a_question_that_would_wait_too_long_goes_to_the_next() -> None:
    first, second = Scripted("first"), Scripted("second")
    links = [Link(first, Guard("first", Limits(requests_per_minute=1), now=now)), Link(second, Guard("second"))]
    chain = Chain(Purpose.ANSWER, links, SECONDS)
    served = [(await chain.generate_as(PROMPT, Said)).model for _ in range(3)]
    assert served == ["first", "second", "second"]
    assert now() == 0
    assert chain.states()[0].state is State.CLOSED  # our own limits are no failure of the model


@virtually
async def test_one_that_failed_while_others_stood_in_line_is_not_asked_and_nothing_is_counted() -> None:
    model = Scripted("m", [Taking(1, KeyRefused("401"))])
    guard = Guard("m", Limits(requests_per_minute=1), now=now)
    chain = Chain(Purpose.ANSWER, [Link(model, guard)], 100)
    asked = await asyncio.gather(*(chain.generate_as(PROMPT, Said) for _ in range(3)), return_exceptions=True)
    assert [type(error) for error in asked] == [KeyRefused] * 3
    assert len(model.asked_at) == guard.pace.used_today == 1


@virtually
async def test_a_shape_that_is_missed_is_asked_for_once_more() -> None:
    calls: list[Call] = []
    model = Scripted("m", ["no", '{"minutes": 4}'])
    shaped = await chain_of(model).generate_as(PROMPT, Tea, on_call=calls.append)
    assert shaped.value == Tea(minutes=4)
    assert [call.outcome for call in calls] == [Outcome.BAD_REPLY, Outcome.OK]
    first, second = Scripted("first", ["no"]), Scripted("second", ['{"minutes": 5}'])
    assert (await chain_of(first, second).generate_as(PROMPT, Tea)).value.minutes == 5
    assert len(first.asked_at) == 2
    with pytest.raises(BadReply):
        await chain_of(Scripted("m", ["no"])).generate_as(PROMPT, Tea)


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ([Unavailable("x"), RateLimited("x", 100)], RateLimited),
        ([RateLimited("x", 100), Unavailable("x")], RateLimited),
        ([Refused("x"), RateLimited("x", 100)], Refused),
        ([ModelGone("x"), Unavailable("x")], Unavailable),
        ([ModelGone("x"), KeyRefused("x")], ModelGone),
        ([BadReply("x"), ModelGone("x")], ModelGone),
        ([BadReply("x"), TimedOut("x")], TimedOut),
        ([RateLimited("x", 100), BudgetExhausted("x")], BudgetExhausted),
    ],
)
@virtually
async def test_when_none_answers_the_most_telling_error_is_told(
    errors: list[ModelError], told: type[ModelError]
) -> None:
    chain = chain_of(*(Scripted(str(number), [error]) for number, error in enumerate(errors)))
    with pytest.raises(told) as raised:
        await chain.generate_as(PROMPT, Said)
    assert raised.type is told


@virtually
async def test_whoever_stops_asking_stops_the_model_and_says_nothing_against_it() -> None:
    chain, calls = chain_of(Scripted("m", [Taking(3600)])), list[Call]()
    for _ in range(5):
        asking = asyncio.create_task(chain.generate_as(PROMPT, Said, on_call=calls.append))
        await asyncio.sleep(1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    assert calls == [Call(Purpose.ANSWER, "m", None, 1.0, Outcome.ABANDONED)] * 5
    assert chain.states()[0].state is State.CLOSED
    assert len(asyncio.all_tasks()) == 1


STEPS: st.SearchStrategy[Step] = st.one_of(
    st.just("yes"),
    st.sampled_from([Unavailable("x"), RateLimited("x"), Refused("x"), KeyRefused("x"), BadReply("x")]),
    st.builds(RateLimited, st.just("x"), st.floats(0, 100)),
    st.builds(Taking, st.floats(0, 100), st.sampled_from(["yes", Unavailable("x")]), st.booleans()),
)


@given(
    st.lists(st.lists(STEPS, min_size=1, max_size=6), min_size=1, max_size=4),
    st.lists(st.tuples(st.floats(0, 30), st.floats(0.1, 30), st.booleans()), min_size=1, max_size=12),
    st.one_of(st.none(), st.integers(1, 5)),
)
@virtually
async def test_every_question_ends_in_its_time_with_a_reply_or_a_model_error(
    scripts: list[list[Step]], questions: Sequence[tuple[float, float, bool]], per_minute: int | None
) -> None:
    async def asking(chain: Chain, at: float, seconds: float, live: bool) -> None:
        await asyncio.sleep(at)
        try:
            reply = await chain.generate_as(PROMPT, Said, seconds=seconds, live=live)
        except ModelError:
            pass
        else:
            assert reply.value.text == "yes"
        assert now() <= at + seconds + 1e-6

    models = [Scripted(str(number), script) for number, script in enumerate(scripts)]
    chain = chain_of(*models, limits=Limits(requests_per_minute=per_minute))
    await asyncio.gather(*(asking(chain, *question) for question in questions))
