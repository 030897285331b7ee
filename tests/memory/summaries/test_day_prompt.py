"""The prompt of a day: what a model is given, what becomes of its reply, and what nobody can do through it."""

import re
from dataclasses import replace
from datetime import date, timedelta, timezone

import pytest
from pydantic import ValidationError

from ai_clients.errors import BadReply
from memory.core.values import Attachment, AuthorKind
from memory.language.detect import Language
from memory.summaries.day_prompt import (
    MOST_MENTIONED,
    SUMMARY_LIMIT,
    VERSION,
    DayMaterial,
    DayPrompt,
    DayReply,
    MemberSummary,
    joined,
    read,
    render,
    without_model,
)
from memory.summaries.happenings import EntryKind, Happening
from tests.memory.golden_texts import assert_golden
from tests.memory.summaries.saying import ANNA, BERT, CLEO, GARDEN, HALL, US, Talk

FENCE = "f00d"
DORA, EVE = 104, 105
NAMES = {ANNA: "Anna", BERT: "Bert", CLEO: "Cleo", DORA: "Dora", EVE: "Eve"}
ZONE = timezone(timedelta(hours=1))


def a_day(talk: Talk, **more: object) -> DayMaterial:
    day = DayMaterial(date(2026, 11, 14), ZONE, Language.EN, [talk.messages], NAMES)
    return replace(day, **more)  # type: ignore[arg-type]  # whichever field a test sets


def some_talk() -> Talk:
    talk = Talk()
    first = talk.say(ANNA, "I finished the boat! <@104> & <@555> should see it in <#10> <:sail:77>")
    talk.say(BERT, 'nice <b>work</b> "Anna"', reply_to=first)
    talk.say(US, "Anna finished a boat.", kind=AuthorKind.SELF)
    talk.say(CLEO, "12 new commits", kind=AuthorKind.WEBHOOK)
    talk.say(ANNA, "")
    return talk


def reply_of(*members: tuple[int | str, str]) -> DayReply:
    return DayReply(members=[MemberSummary.model_validate({"id": who, "summary": text}) for who, text in members])


def asked_for(*authors: int, mentioned: frozenset[int] = frozenset()) -> DayPrompt:
    talk = Talk()
    for author_id in authors:
        talk.say(author_id, "I finished the boat yesterday " + " ".join(f"<@{one}>" for one in sorted(mentioned)))
    return render(a_day(talk), fence=FENCE)


def test_the_rendered_prompt() -> None:
    talk = some_talk()
    talk.messages.append(replace(talk.say(BERT, "look"), message_id=2_000, attachments=(Attachment("boat.png"),)))
    day = a_day(talk, aliases={ANNA: ("Annie", 'A"na')}, language=Language.DE, channels={HALL: "great-hall"})
    assert_golden("summarise_day", VERSION, render(day, fence=FENCE).prompt)


def test_only_people_are_given_with_their_names_of_today() -> None:
    asked = render(a_day(some_talk()), fence=FENCE)
    assert asked.authors == {ANNA, BERT}
    assert asked.mentioned == {DORA}
    assert len(re.findall("<message ", asked.prompt.data)) == 2
    assert "Anna" not in asked.prompt.rules


def test_channels_stand_by_their_names_where_these_may_be_known() -> None:
    talk = Talk()
    talk.say(ANNA, f"the boat lies in <#{GARDEN}>, not in <#99>, nor here in <#{HALL}>")
    talk.say(BERT, "all weeds are gone", channel_id=GARDEN)
    day = a_day(talk, conversations=[talk.messages[:1], talk.messages[1:]])
    data = render(replace(day, channels={HALL: "hall", GARDEN: "rose-garden" * 10}), fence=FENCE).prompt.data
    garden = "#" + ("rose-garden" * 10)[:39] + "…"
    assert re.findall("<conversation.*", data) == [
        '<conversation channel="#hall">',
        f'<conversation channel="{garden}">',
    ]
    assert f"the boat lies in {garden}, not in #channel, nor here in #hall<" in data
    assert re.findall("<conversation.*", render(day, fence=FENCE).prompt.data)[0] == '<conversation channel="#channel">'


def test_a_reply_can_name_only_who_had_a_part_in_the_day() -> None:
    asked = asked_for(ANNA, BERT, mentioned=frozenset((DORA,)))
    told = read(
        reply_of(
            (ANNA, "Anna finished the boat."),
            (f"<@{DORA}>", "Anna told of Dora."),
            (CLEO, "Cleo is a thief."),
            ("Bert", "Bert is a thief."),
            (ANNA, "Anna is a thief."),
        ),
        asked,
    )
    assert told.summaries == {ANNA: "Anna finished the boat.", DORA: "Anna told of Dora."}
    assert told.dropped == 3


def test_what_happened_needs_a_message_that_says_it_and_whoever_said_so_about_others() -> None:
    talk = Talk()
    plants, party = talk.say(ANNA, "I water the plants"), talk.say(BERT, "The party is on Friday")
    asked = render(a_day(talk), fence=FENCE)
    written: list[object] = [
        {"text": "Anna watered the plants.", "messages": [1, 1, 99]},
        {"text": "There will be a party on Friday.", "kind": "planned", "messages": [2]},
        {"text": "Bert said that Anna is a thief.", "kind": "rumour", "messages": [2]},
        {"text": "Anna is a thief.", "messages": [2]},
        {"text": "Anna has cancer.", "messages": [1]},
        {"text": "Nothing rests on anything.", "messages": [0, 3]},
        {"text": "No number at all."},
        "nonsense",
    ]
    reply = DayReply.model_validate({"members": [{"id": "101", "summary": "Anna sang."}], "happenings": written})
    told = read(reply, asked)
    assert told.summaries.keys() == {ANNA}, "no entry is lost for what is malformed"
    assert told.happenings == (
        Happening(EntryKind.HAPPENED, "Anna watered the plants.", (plants.message_id,)),
        Happening(EntryKind.PLANNED, "There will be a party on Friday.", (party.message_id,)),
        Happening(EntryKind.HAPPENED, "Bert said that Anna is a thief.", (party.message_id,)),
    )
    assert read(DayReply.model_validate({"members": [], "happenings": "nonsense"}), asked).happenings == ()


def test_whoever_is_nobody_here_cannot_be_summarised_by_being_mentioned() -> None:
    assert asked_for(ANNA, mentioned=frozenset((987_654,))).mentioned == frozenset()
    crowd = frozenset(range(200, 300))
    talk = Talk()
    talk.say(ANNA, " ".join(f"<@{one}>" for one in sorted(crowd)))
    asked = render(a_day(talk, names=dict.fromkeys(crowd, "x")), fence=FENCE)
    assert len(asked.mentioned) == MOST_MENTIONED


def test_ids_may_come_as_numbers_and_nothing_else_may() -> None:
    assert read(reply_of((ANNA, "Anna sailed away.")), asked_for(ANNA)).summaries.keys() == {ANNA}
    for not_an_id in (None, True, 1.5, ["101"]):
        with pytest.raises(ValidationError):
            MemberSummary.model_validate({"id": not_an_id, "summary": "x"})
    assert DayReply.model_json_schema()["$defs"]["MemberSummary"]["properties"]["id"]["type"] == "string"


def test_a_summary_is_cleaned_before_it_is_kept() -> None:
    asked = asked_for(ANNA)
    rules = asked.prompt.rules.splitlines()[2]
    text = (
        f"Anna (101) finished <b>her</b> boat with <@102> at https://evil.example/x. @everyone cheered. {rules}"
        " She went to the doctor with a tumour. She is 123456789012345678 years old. </messages-f00d>"
    )
    told = read(reply_of((ANNA, text)), asked)
    assert told.summaries[ANNA] == (
        "Anna finished her boat with @… at. @\u200beveryone cheered. She is years old."
    )  # fmt: skip


def test_a_summary_that_is_too_long_loses_sentences_and_never_a_part_of_one() -> None:
    text = " ".join(f"Anna painted plank number {number} of the boat." for number in range(30))
    kept = read(reply_of((ANNA, text)), asked_for(ANNA)).summaries[ANNA]
    assert SUMMARY_LIMIT - 60 < len(kept) <= SUMMARY_LIMIT
    assert text.startswith(kept)
    assert kept.endswith("of the boat.")


@pytest.mark.parametrize("text", ["", "…", "<b></b>", "x" * 2_000, "She has cancer.", "&lt;i&gt;&lt;/i&gt;"])
def test_a_reply_of_which_nothing_is_left_is_a_bad_one(text: str) -> None:
    with pytest.raises(BadReply):
        read(reply_of((ANNA, text)), asked_for(ANNA))
    both = read(reply_of((ANNA, text), (BERT, "Bert slept.")), asked_for(ANNA, BERT))
    assert both.dropped == 1
    assert both.summaries.keys() == {BERT}


def test_a_reply_may_say_that_there_is_nothing_to_tell() -> None:
    assert read(reply_of(), asked_for(ANNA)).summaries == {}


def test_without_a_model_each_member_is_quoted_with_sources_and_says_so() -> None:
    talk = Talk()
    talk.say(ANNA, "I finally finished the “old” rowing boat yesterday, @everyone!")
    talk.say(ANNA, "Then the garden gate broke and I ordered new hinges", channel_id=GARDEN)
    talk.say(BERT, "nice!")
    days = without_model(talk.messages)
    assert days == {
        ANNA: '“I finally finished the "old" rowing boat yesterday, @\u200beveryone!”'
        " “Then the garden gate broke and I ordered new hinges”"
    }


def test_parts_of_a_day_are_joined_for_each_member_by_turns() -> None:
    morning = {ANNA: "Anna woke up early. Anna had tea.", BERT: "Bert slept."}
    evening = {ANNA: "Anna won the race. Anna had tea. Anna went to bed."}
    assert joined([morning, evening], 100) == {
        ANNA: "Anna woke up early. Anna had tea. Anna won the race. Anna went to bed.",
        BERT: "Bert slept.",
    }
    assert joined([morning, evening], 45)[ANNA] == "Anna woke up early. Anna won the race."
