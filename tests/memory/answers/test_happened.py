"""What happened on a day, without a model: quoted lines with their times and sources, in five languages."""

import pytest

from memory.answers.about_days import without_model
from memory.core.outcomes import Answer, Citation
from memory.core.values import Source
from memory.language.detect import Language
from tests.memory.summaries.saying import ANNA, BERT, GARDEN, HALL, Talk


def test_a_day_is_told_line_by_line_with_sources() -> None:
    talk = Talk()
    talk.say(ANNA, "morning all")
    talk.say(ANNA, "We decided to move the *raid* to Saturday, @everyone.")
    talk.say(BERT, "I finally finished painting the old boat.", channel_id=GARDEN)
    answer = without_model([talk.messages], "2026-11-14", Language.EN)
    decided, finished = (int(message.sent_at.timestamp()) for message in talk.messages[1:])
    text = (
        "From what was said here:\n"
        f"• <t:{decided}:f> <@101>: “We decided to move the \\*raid\\* to Saturday, @\u200beveryone.”\n"
        f"• <t:{finished}:f> <@102>: “I finally finished painting the old boat.”"
    )
    sources = (Source(HALL, 1_001), Source(GARDEN, 1_002))
    ends = (text.rindex("\n"), len(text))
    assert answer == Answer(text, sources, citations=tuple(map(Citation, ends, sources)))
    assert answer.without_model


@pytest.mark.parametrize("language", list(Language))
def test_a_day_with_nothing_to_quote_says_so(language: Language) -> None:
    answer = without_model([[]], "2026-11-14", language)
    assert "2026-11-14" in answer.text
    assert answer.sources == ()
