"""What is for us, and what it wants: by example, and over wild text."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.commands.addressing import Addressed, address
from memory.commands.grammar import reminds_several
from memory.commands.phrases import PHRASES
from memory.commands.small_talk import asks_by_form
from memory.core.values import Intent
from memory.facts.matching import everything_about, points_at_message
from memory.facts.statement import needs_source, words_to_keep
from memory.language.detect import Language
from tests.loop_steps import quickest
from tests.memory.tables import tables_of

US = 99
ROLE = 77
NAMES = ("Bot", "Бот", "Wirt Hans", "ボット")
SAID = tables_of(__file__)


def read(text: str, *, reply_to_us: bool = False) -> Addressed | None:
    return address(text, names=NAMES, bot_id=US, bot_role_ids=(ROLE,), reply_to_us=reply_to_us)


def heard(text: str, *, reply_to_us: bool = False) -> Addressed:
    addressed = read(text, reply_to_us=reply_to_us)
    assert addressed is not None
    return addressed


@pytest.mark.parametrize("text", SAID["not_for_us"])
def test_not_for_us(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", SAID["for_us"])
def test_for_us(text: str) -> None:
    addressed = heard(text)
    assert (addressed.intent, addressed.body) == (Intent.QUESTION, "hello")


def test_a_reply_to_us_is_for_us() -> None:
    assert read("hello") is None
    assert read("hello", reply_to_us=True) == Addressed(Intent.QUESTION, "hello", None)
    assert read("no, six. Bot forget the code", reply_to_us=True) == Addressed(Intent.FORGET, "the code", Language.EN)
    assert heard("forget that", reply_to_us=True).intent is Intent.FORGET


def test_a_comma_or_a_question_mark_makes_chatter_an_address() -> None:
    for text in ("Bot, is anybody there", "Bot is Alice at home?", "bot did we ever go there? when"):
        assert read(text) is not None
    assert read("Bot was macht Alice gerade") is not None


@pytest.mark.parametrize(("text", "intent", "body"), SAID["wants"])
def test_what_it_wants(text: str, intent: str, body: str) -> None:
    addressed = heard(text)
    assert (addressed.intent, addressed.body) == (intent, body)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        *(
            (f"> the key is under the mat\n{call}who said that?", "> the key is under the mat\nwho said that?")
            for call in ("Bot, ", "<@99> ", "**Bot**: ")
        ),
        ("> the key is under the mat\nBot, remember that I like tea", "I like tea"),
        ("Bot remember that\n> <@99> is nice", "> <@99> is nice"),
    ],
)
def test_what_is_quoted_belongs_to_a_question_and_is_not_remembered_as_ones_own(text: str, body: str) -> None:
    assert heard(text).body == body


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
FRAGMENTS = st.sampled_from(
    ["Bot", "bot,", "<@99>", "<@&77>", "<@", "> ", ">>> ", "```", "`", "remember", "forget", "that", "\u200b", "\u202e",
     "\n", " ", "?", "кто", "merk dir", "que", "qu'", "https://x", "can you", "please", "…", "-", "*"]
)  # fmt: skip


@given(ANY_TEXT | st.lists(FRAGMENTS | ANY_TEXT, max_size=12).map("".join), st.booleans())
def test_never_fails_and_never_makes_words_up(text: str, reply: bool) -> None:
    addressed = read(text, reply_to_us=reply)
    if addressed is not None:
        rest = iter(text)
        assert all(character in rest for character in addressed.body), "the body is made of the text, in its order"


ORDINARY = st.lists(
    st.sampled_from(
        ("the", "robot", "bot", "Bot", "bots", "remember", "that", "forget", "is", "Alice", "what", "know")
    ),
    min_size=1,
    max_size=10,
)


@given(st.sampled_from(["I", "we", "the", "robots", "Alice", "remember", "forget", "yes,", "so", "@alice"]), ORDINARY)
def test_ordinary_sentences_are_never_for_us(first: str, words: list[str]) -> None:
    assert read(" ".join([first, *words])) is None


def _commands() -> list[tuple[Language, Intent, str, str]]:
    found = []
    for language, phrases in PHRASES.items():
        conjunction = phrases["conjunctions"][0]
        for intent, verbs in ((Intent.REMEMBER, phrases["remember"]), (Intent.FORGET, phrases["forget"])):
            found += [(language, intent, verb, conjunction) for verb in verbs]
        found += [(language, Intent.FORGET, said, conjunction) for said in phrases["untrue"]]
        for verbs, intent in ((phrases["remember_asked"], Intent.REMEMBER), (phrases["forget_asked"], Intent.FORGET)):
            asked = [f"{asking} {verb}" for asking in phrases["asking"][:3] for verb in verbs]
            found += [(language, intent, verb, conjunction) for verb in asked]
    return found


@pytest.mark.parametrize("language", Language)
def test_every_verb_of_the_table_is_read(language: Language) -> None:
    for _, intent, verb, conjunction in (command for command in _commands() if command[0] is language):
        for said in ("Alice likes tea", f"{conjunction} Alice likes tea"):
            phrase = verb.replace("…", said) if "…" in verb else f"{verb} {said}"
            addressed = heard(f"Bot {phrase}")
            assert (addressed.intent, addressed.body) == (intent, "Alice likes tea"), phrase


CASES = st.sampled_from([str, str.upper, str.capitalize, str.lower])


@given(
    st.sampled_from([(lang, k) for lang, p in PHRASES.items() for k in p["knowledge"]]),
    CASES,
    st.sampled_from(["<@5>", "Anna"]),
)
def test_every_way_to_ask_what_we_know(question: tuple[Language, str], case: "type[str]", who: str) -> None:
    language, phrase = question
    asked = case(phrase).replace("…", who) if "…" in phrase else f"{case(phrase)} {who}"
    addressed = heard(f"Bot, {asked}?")
    assert (addressed.intent, addressed.body) == (Intent.KNOWLEDGE, who)
    assert addressed.language is language


@pytest.mark.parametrize(
    "text",
    [
        "Bot " + "s'il te plaît " * 24,
        "Bot " + "s'il te plaît " * 280,
        "Bot " + "bitte mal doch " * 260 + "x",
        "Bot remember this about" + " " * 150 + "x\ny",
        "Bot forget everything about" + " \n" * 1_900 + "x\ny",
        "Bot kannst du dir" + " ." * 1_900 + "merken x",
        "Bot " + "can you " * 500,
        "Bot remember " + "please " * 570,
        "Bot kannst du dir " + "x " * 1900,
        "Bot remember x" + " " * 3900 + "y",
        "Bot forget " + ". " * 1900 + "y",
        "> " * 2000,
        "`" * 4000,
        "```" + "`a" * 1900,
        "Bot" + "-" * 3900,
        "<@99" * 1000,
        "Bot who. " * 440,
        "a. " * 1300 + "Bot remember x",
    ],
)
def test_a_message_made_to_be_slow_is_read_at_once(text: str) -> None:
    def read_through() -> None:
        addressed = read(text)
        said = text if addressed is None else addressed.body
        for further in (needs_source, everything_about, points_at_message, words_to_keep, asks_by_form):
            further(said)

    read_through()  # the patterns themselves are built once
    assert quickest(read_through) < 0.2, "six readers"


@pytest.mark.parametrize("space", [" " * 300, "\n" * 300, " \u200b" * 300], ids=["spaces", "lines", "unseen"])
def test_any_space_counts_as_one_where_a_command_is_read(space: str) -> None:
    addressed = read(f"Bot,{space}please{space}remember{space}that tea  is\n\n good")
    assert addressed == Addressed(Intent.REMEMBER, "tea  is\n\n good", Language.EN), "what is told stays as typed"


def test_the_verb_is_looked_for_at_the_beginning_and_the_telling_may_be_long() -> None:
    told = "tea is good, " * 250 + "really"
    assert read(f"Bot remember that {told}") == Addressed(Intent.REMEMBER, told, Language.EN)
    assert read(f"Bot kannst du dir {told} merken?") == Addressed(Intent.REMEMBER, told, Language.DE)
    assert heard("Bot " + "please " * 60 + "remember that tea is good").intent is Intent.QUESTION


@pytest.mark.parametrize("said", SAID["everything_about"])
def test_whom_everything_is_about_is_understood_behind_each_verb(said: str) -> None:
    addressed = heard(f"Bot {said}")
    assert addressed.intent is Intent.FORGET
    assert everything_about(addressed.body) in ("me", "mich", "moi", "mí", "мне")


@pytest.mark.parametrize(("text", "several"), SAID["several"])
def test_who_says_us_wants_several_reminded(text: str, several: bool) -> None:
    said = heard(text)
    assert (said.intent, reminds_several(text, said.body)) == (Intent.REMIND, several)


@given(ANY_TEXT)
def test_text_without_name_and_mention_is_never_for_us(text: str) -> None:
    assume(not any(sign in text.casefold() for sign in ("b", "ｂ", "б", "w", "ボ", "ﾎ", "<@")))
    assert read(text) is None


@pytest.mark.parametrize(("text", "body"), SAID["everywhere"])
def test_that_everyone_may_know_is_heard_and_taken_off(text: str, body: str) -> None:
    addressed = heard(text)
    assert (addressed.intent, addressed.body, addressed.everywhere) == (Intent.REMEMBER, body, True)


@pytest.mark.parametrize("text", SAID["not_everywhere"])
def test_what_only_sounds_as_if_everyone_may_know(text: str) -> None:
    assert not heard(text).everywhere


@pytest.mark.parametrize("language", Language)
def test_every_way_to_say_that_everyone_may_know(language: Language) -> None:
    for word in PHRASES[language]["everywhere"]:
        said = heard(f"Bot {PHRASES[language]['remember'][0]} {word}: xyz abc")
        assert (said.everywhere, said.body) == (True, "xyz abc"), word
