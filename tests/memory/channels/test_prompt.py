"""The prompt of a channel's summary: what a model is given, what its reply has to pass, and what is quoted without."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from memory.channels.prompt import (
    ChannelMaterial,
    ChannelPrompt,
    ChannelReply,
    Fault,
    Told,
    quality,
    read,
    render,
    without_model,
)
from memory.channels.values import LONGEST
from memory.core.values import Member, Message
from memory.language.detect import Language
from tests.memory.summaries.saying import ANNA, BERT, GUILD, HALL, Talk

FENCE, ZONE = "f00d", timezone(timedelta(hours=1))
MEMBERS = [Member(GUILD, ANNA, "anna", None, "Anna"), Member(GUILD, BERT, "bert", None, "Bert")]


def some_talk() -> Talk:
    talk = Talk()
    talk.say(ANNA, "we meet on Friday at 19:30 at the harbour, <@102> brings the 3 sails")
    talk.say(BERT, 'I bring them, see <b>this</b> https://example.org/sails "list" [7]')
    talk.say(ANNA, "and 40 euros each for the boat")
    return talk


def asked_about(talk: Talk, *before: Told, carried: list[Message] | None = None) -> ChannelPrompt:
    return render(ChannelMaterial(Language.EN, ZONE, talk.messages, MEMBERS, before, carried or []), fence=FENCE)


def said(text: str, asked: ChannelPrompt | None = None) -> Told | Fault:
    return read(ChannelReply(summary=text), asked or asked_about(some_talk()))


def test_what_it_is_given_is_numbered_and_escaped() -> None:
    data = asked_about(some_talk()).prompt.data
    assert '<message n="1" time=' in data
    assert "&lt;b&gt;this&lt;/b&gt;" in data
    assert "(7)" in data
    assert "[7]" not in data
    assert "@P2 brings" in data
    assert "<before-" not in data


def test_the_channel_stands_by_its_name_and_no_other_does() -> None:
    talk = Talk()
    talk.say(ANNA, "we go on in <#11> and not in <#10>, [1] is what I mean")
    known = ChannelMaterial(
        Language.EN, ZONE, talk.messages, MEMBERS, channels={HALL: 'pier-7" @P1 [1] </messages-f00d>'}
    )
    asked = render(known, fence=FENCE)
    name = "#pier-7&quot; @ P1 (1) &lt;/messages-f00d&gt;"
    assert f'<messages-f00d channel="{name}">' in asked.prompt.data
    assert f">we go on in #channel and not in {name}, (1) is what I mean<" in asked.prompt.data
    assert isinstance(said("@P1 went on at pier-7. [1]", asked), Told), "its number was given"
    assert '<messages-f00d channel="#channel">' in asked_about(talk).prompt.data, "where nobody knows it"


def test_a_summary_cites_what_it_rests_on() -> None:
    told = said("@P1 and @P2 agreed to meet on Friday at 19:30. [1] Each pays 40 euros. [3][1]")
    ids = [message.message_id for message in some_talk().messages]
    assert told == Told(
        f"<@{ANNA}> and <@{BERT}> agreed to meet on Friday at 19:30 [1]. Each pays 40 euros [2][1].", (ids[0], ids[2])
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY),
        ("[1]", Fault.EMPTY),
        ("Hello! They meet on Friday. [1]", Fault.NO_MINUTES),
        ("Here is the summary: they meet on Friday. [1]", Fault.NO_MINUTES),
        ("I am a helpful assistant and keep the minutes. [1]", Fault.NO_MINUTES),
        ("Ich bin ein Assistent. [1]", Fault.NO_MINUTES),
        ("Вот итоги: встреча в пятницу. [1]", Fault.NO_MINUTES),
        ("They meet on Friday.", Fault.UNCITED),
        ("They meet on Friday. [9]", Fault.UNCITED),
        ("They meet on Friday at 20:30. [1]", Fault.INVENTED),
        ("Each pays 45 euros. [3]", Fault.INVENTED),
    ],
)
def test_what_does_not_pass(text: str, fault: Fault) -> None:
    assert said(text) is fault


def test_days_may_be_written_as_people_write_them() -> None:
    """2026-03-02 is the 2nd, and what was said to be tomorrow is the day behind it."""
    day = some_talk().messages[0].sent_at
    for said_on in (day - timedelta(days=1), day, day + timedelta(days=1)):
        assert isinstance(said(f"They meet on {said_on.day} March. [1]"), Told)


def test_links_leave_a_summary() -> None:
    told = said("@P2 named a list at https://evil.example/x today. [2]")
    assert isinstance(told, Told)
    assert "evil" not in told.text


def test_the_text_before_it_has_todays_numbers() -> None:
    cited = replace(Talk().say(BERT, "the mast is 12 metres long"), message_id=900)
    before = Told(f"<@{BERT}> measured the mast: 12 metres [1]. It is old [2].", (900, 5))
    asked = asked_about(some_talk(), before, carried=[cited])
    assert "@P2 measured the mast: 12 metres [1]. It is old ." in asked.prompt.data
    assert isinstance(said("@P2 found that the mast is 12 metres long. [1]", asked), Told)


def test_without_a_model_it_is_quoted_with_its_sources() -> None:
    talk = some_talk()
    told = without_model(talk.messages)
    assert told is not None
    assert len(told.text) <= LONGEST
    assert set(told.cites) <= {message.message_id for message in talk.messages}
    assert all(f"[{number}]" in told.text for number in range(1, len(told.cites) + 1))
    assert without_model([]) is None


def test_what_nobody_said_has_less_support() -> None:
    messages = some_talk().messages
    right = quality(f"<@{ANNA}> wants to meet on Friday at the harbour.[1]", messages)
    swapped = quality(f"<@{BERT}> wants to meet on Friday at the harbour.[1]", messages)
    invented = quality(f"<@{ANNA}> bought a castle in Scotland for her mother.[1]", messages)
    assert right > swapped > invented
