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

US = 99
ROLE = 77
NAMES = ("Bot", "Бот", "Wirt Hans", "ボット")


def read(text: str, *, reply_to_us: bool = False) -> Addressed | None:
    return address(text, names=NAMES, bot_id=US, bot_role_ids=(ROLE,), reply_to_us=reply_to_us)


def body_of(text: str) -> str:
    addressed = read(text)
    assert addressed is not None
    return addressed.body


@pytest.mark.parametrize(
    "text",
    [
        "that robot is a bot",
        "Bot-net attack",
        "bot.exe crashed",
        "ro\u200bbot, hello",
        "ask the bot",
        "бот не работает",
        "> Bot remember this",
        ">>> Bot remember\nthis and that",
        "`Bot remember`",
        "```\nBot remember\n```",
        "```\n<@99> remember",
        "> <@99> said so\nindeed",
        "<\u200b@99> hello",
        "<@98> hello",
        "<@&78> hello",
        "https://example.com Bot remember this",
        "",
        "hey bot lane is feeding",
        "gg ez, bot",
        "I told you to remember that, bot",
        "> remember that I am left-handed, bot",
        "Boot fahren ist schön",
        "who is the bot",
        "forget about that bot",
        "can you remember that he plays like bot",
        "tell me about the discord bot",
        "what is a bot",
        "haha bot",
        "thanks bot for nothing",
        "bot er dir 50 Euro",
        "bot de mierda",
        "> good bot",
        "I told the Bot remember that it is six",
        "We have two. Bot is broken again",
        'She said "fine. Bot remember that it is six. Bye." and left',
        "fine.\n> Bot remember that it is six",
        "fine. `Bot remember that it is six`",
        "Try it:\nBot remember that it is six",
        "It can do a lot.\n- Bot remember that it is six",
    ],
)
def test_not_for_us(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Bot hello",
        "bot, hello",
        "Bot - hello",
        "**Bot** hello",
        "\u200b\u202eB\u200dot hello",
        "Ｂｏｔ hello",
        "Bot\nhello",
        "бот, hello",
        "wirt hans hello",
        "ボット、hello",
        "<@99> hello",
        "<@!99> hello",
        "<@&77> hello",
        "hello <@99>",
    ],
)
def test_for_us(text: str) -> None:
    addressed = read(text)
    assert addressed is not None
    assert (addressed.intent, addressed.body) == (Intent.QUESTION, "hello")


def test_a_reply_to_us_is_for_us() -> None:
    assert read("hello") is None
    assert read("hello", reply_to_us=True) == Addressed(Intent.QUESTION, "hello", None)
    assert read("no, six. Bot forget the code", reply_to_us=True) == Addressed(Intent.FORGET, "the code", Language.EN)
    addressed = read("forget that", reply_to_us=True)
    assert addressed is not None
    assert addressed.intent is Intent.FORGET


def test_a_comma_or_a_question_mark_makes_chatter_an_address() -> None:
    assert read("Bot, is anybody there") is not None
    assert read("Bot is Alice at home?") is not None
    assert read("bot did we ever go there? when") is not None
    assert read("Bot was macht Alice gerade") is not None


@pytest.mark.parametrize(
    ("text", "intent", "body"),
    [
        ("Bot remember that gruzilkin is Sergey", Intent.REMEMBER, "gruzilkin is Sergey"),
        ("Bot remember", Intent.REMEMBER, ""),
        ("Bot, can you remember that I like tea?", Intent.REMEMBER, "I like tea"),
        ("Bot don't forget that X is Y", Intent.REMEMBER, "X is Y"),
        ("hey <@99> remember that <@5> likes tea", Intent.REMEMBER, "<@5> likes tea"),
        ("<@99> remember\nline one\nline two", Intent.REMEMBER, "line one\nline two"),
        ("Bot remember `code` and https://example.com/x", Intent.REMEMBER, "`code` and https://example.com/x"),
        ("Bot kannst du dir bitte merken, dass Bob groß ist?", Intent.REMEMBER, "Bob groß ist"),
        ("Bot souviens toi qu’Alice aime le thé", Intent.REMEMBER, "Alice aime le thé"),
        ("Bot oublie-moi", Intent.FORGET, "moi"),
        ("Бот, запомни, пожалуйста, что я люблю чай", Intent.REMEMBER, "я люблю чай"),
        ("Bot what do you know about <@5>?", Intent.KNOWLEDGE, "<@5>"),
        ("Bot who is Big Joe?", Intent.KNOWLEDGE, "Big Joe"),
        ("Bot do you remember when we met?", Intent.QUESTION, "do you remember when we met?"),
        ("Bot remember when we met?", Intent.QUESTION, "remember when we met?"),
        ("Bot what does `remember` do?", Intent.QUESTION, "what does `remember` do?"),
        ("Bot\n> remember that X", Intent.QUESTION, "> remember that X"),
        ("I think <@99> should remember that", Intent.QUESTION, "I think should remember that"),
        ("<@99>", Intent.QUESTION, ""),
        ("Bot remind me tomorrow at 9 to call Ann", Intent.REMIND, "tomorrow at 9 to call Ann"),
        ("Bot remember to remind me to call", Intent.REMIND, "to call"),
        ("Bot remind us on Friday of the raid, please", Intent.REMIND, "on Friday of the raid"),
        ("Bot kannst du mich morgen um 9 an den Ofen erinnern?", Intent.REMIND, "morgen um 9 an den Ofen"),
        ("Bot remind me what Tom said", Intent.QUESTION, "remind me what Tom said"),
        ("when do we meet, Bot?", Intent.QUESTION, "when do we meet?"),
        ("thank you, bot!", Intent.QUESTION, "thank you"),
        ("botttt remember that I like tea", Intent.REMEMBER, "I like tea"),
        ("Bot rememberrrr aaalice likes u", Intent.REMEMBER, "aaalice likes u"),
        ("bot? remember I moved to Leeds", Intent.REMEMBER, "I moved to Leeds"),
        ("fyi bot, I moved to Leeds", Intent.QUESTION, "I moved to Leeds"),
        ("das mit Jonas stimmt nicht mehr, Bot.", Intent.FORGET, "mit Jonas"),
        ("good bot 🥰", Intent.QUESTION, "good 🥰"),
        ("Bot never remember what I say", Intent.QUESTION, "never remember what I say"),
        ("Bot merk dir, Anna raucht nicht", Intent.REMEMBER, "Anna raucht nicht"),
        ("Bot it is no longer true that we meet on Tuesdays.", Intent.FORGET, "we meet on Tuesdays."),
        ("Bot is it no longer true that we meet?", Intent.QUESTION, "is it no longer true that we meet?"),
        ("Bot wer sagt, das stimmt nicht mehr?", Intent.QUESTION, "wer sagt, das stimmt nicht mehr?"),
        ("Bot remove Tom from the server", Intent.QUESTION, "remove Tom from the server"),
        ("ok six. Bot remember that the door code is 4711", Intent.REMEMBER, "the door code is 4711"),
        ("Also gut!\nBot, merk dir, dass der Code 4711 ist", Intent.REMEMBER, "der Code 4711 ist"),
        ("Bon, six… Bot oublie le code. Merci", Intent.FORGET, "le code"),
        ("ok six. <@99> remember that the code is 4711", Intent.REMEMBER, "the code is 4711"),
        ("Bot is slow. Bot remember that it is six", Intent.REMEMBER, "it is six"),
        ("<@99> remember X. Bot forget Y", Intent.REMEMBER, "X. Bot forget Y"),
        ("Bot, listen. Bot remember that it is six", Intent.QUESTION, "listen. Bot remember that it is six"),
        ("Vale. **Bot** recuérdame mañana llamar a Ana", Intent.REMIND, "mañana llamar a Ana"),
        ("Ладно, шесть! Бот, что ты знаешь о Лене?", Intent.KNOWLEDGE, "Лене"),
    ],
)
def test_what_it_wants(text: str, intent: Intent, body: str) -> None:
    addressed = read(text)
    assert addressed is not None
    assert (addressed.intent, addressed.body) == (intent, body)


@pytest.mark.parametrize("call", ["Bot, ", "<@99> ", "**Bot**: "])
def test_what_is_quoted_before_our_name_belongs_to_the_question(call: str) -> None:
    assert body_of(f"> the key is under the mat\n{call}who said that?") == "> the key is under the mat\nwho said that?"


def test_what_is_quoted_is_not_remembered_as_ones_own() -> None:
    assert body_of("> the key is under the mat\nBot, remember that I like tea") == "I like tea"


def test_a_quoted_mention_is_not_taken_out_of_the_body() -> None:
    assert body_of("Bot remember that\n> <@99> is nice") == "> <@99> is nice"


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
            addressed = read(f"Bot {phrase}")
            assert addressed is not None, phrase
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
    addressed = read(f"Bot, {asked}?")
    assert addressed is not None
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
    late = read("Bot " + "please " * 60 + "remember that tea is good")
    assert late is not None
    assert late.intent is Intent.QUESTION


@pytest.mark.parametrize(
    "said",
    [
        "erase everything you know about me",
        "lösch alles, was du über mich weißt",
        "supprime tout ce que tu sais sur moi",
        "borra todo lo que sabes de mí",
        "удали всё, что знаешь обо мне",
    ],
)
def test_whom_everything_is_about_is_understood_behind_each_verb(said: str) -> None:
    addressed = read(f"Bot {said}")
    assert addressed is not None
    assert addressed.intent is Intent.FORGET
    assert everything_about(addressed.body) in ("me", "mich", "moi", "mí", "мне")


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Bot remind us tomorrow of the quiz", True),
        ("Bot erinnere uns morgen an das Quiz", True),
        ("Bot rappelle-nous demain le quiz", True),
        ("Bot recuérdanos mañana el quiz", True),
        ("Bot напомни нам завтра про квиз", True),
        ("Bot remind me tomorrow to call us", False),
        ("That is for all of us. Bot remind me tomorrow to call", False),
    ],
)
def test_who_says_us_wants_several_reminded(text: str, several: bool) -> None:
    said = read(text)
    assert said is not None
    assert (said.intent, reminds_several(text, said.body)) == (Intent.REMIND, several)


@given(ANY_TEXT)
def test_text_without_name_and_mention_is_never_for_us(text: str) -> None:
    assume(not any(sign in text.casefold() for sign in ("b", "ｂ", "б", "w", "ボ", "ﾎ", "<@")))
    assert read(text) is None
