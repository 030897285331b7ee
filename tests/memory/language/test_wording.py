"""Every sentence that people read stands in one file per language: all of them in each, and none that nobody says."""

import ast
import re
import string
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import pytest

from bot.words import Notice, Phrase, Remind, Slash
from memory.answers.generate import Why
from memory.answers.quote import Say
from memory.core.values import Category
from memory.language.detect import Language
from memory.language.wording import FOLDER, Attribution, SentenceKey, form_of, wording, words_of
from memory.models.prompt_data import Bridge
from memory.policy.setting_fields import Setting
from memory.summaries.extractive import Diary
from web.words import Panel

ROOT = Path(__file__).parents[3]
PRODUCT = ("ai_clients", "bot", "launch", "local_guild", "memory", "web")
WRITTEN: tuple[type[StrEnum], ...] = (Bridge, Notice, Phrase, Remind, Slash, Say, Why, Diary, Panel, Setting)
KEYS: tuple[type[StrEnum], ...] = (*WRITTEN, Attribution, Category)
OTHERS = [language for language in Language if language is not Language.EN]
MANY = range(200)
SAME_WORDS = {"notice.so_many_messages", "category.schedule", "panel.day_form", "setting.log_webhooks_value"} | {
    *("notice.area_discord", "notice.summary_rests_on", "panel.rests_on")
}
"""A French message is a message, a date a date, and written like an English one; sources are sources."""
LONGEST_DESCRIPTION = 100
"""What Discord takes of a command, of what it takes, or of a choice."""


def arguments(said: str | Mapping[str, str]) -> list[set[str]]:
    """Of each form."""
    parsed = (string.Formatter().parse(one) for one in ([said] if isinstance(said, str) else said.values()))
    return [{name for _, name, _, _ in parts if name is not None} for parts in parsed]


@pytest.fixture(scope="module")
def source() -> list[str]:
    """What the product is written in."""
    paths = (path for package in PRODUCT for path in (ROOT / package).rglob("*.py"))
    return [path.read_text(encoding="utf-8") for path in paths]


@pytest.mark.parametrize("language", Language)
def test_every_language_has_a_file_with_every_sentence_and_no_other(language: Language) -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{one}.toml" for one in Language}
    assert {part: set(said) for part, said in words_of(language).items()} == {
        keys.__name__.lower(): {key.name.lower() for key in keys} for keys in KEYS
    }


@pytest.mark.parametrize("language", Language)
def test_a_sentence_has_the_same_arguments_in_every_language(language: Language) -> None:
    for part, sentences in words_of(Language.EN).items():
        for key, said in sentences.items():
            meant = arguments(said)[0]
            translated = words_of(language)[part][key]
            assert all(one == meant for one in arguments(translated)), f"{language} {part}.{key}"
            assert isinstance(translated, str) == isinstance(said, str), f"{language} {part}.{key}"


@pytest.mark.parametrize("language", Language)
def test_a_sentence_has_each_form_that_a_number_may_ask_for(language: Language) -> None:
    wanted = {form_of(language, count) for count in MANY}
    several = [said for part in words_of(language).values() for said in part.values() if not isinstance(said, str)]
    assert several
    assert all(set(said) == wanted and all("count" in one for one in arguments(said)) for said in several)


@pytest.mark.parametrize("language", Language)
def test_what_a_command_does_is_said_as_briefly_as_discord_wants_it(language: Language) -> None:
    said = {key: wording(language, key) for key in Slash}
    assert {key: text for key, text in said.items() if not 1 <= len(text) <= LONGEST_DESCRIPTION} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_was_left_in_english(language: Language) -> None:
    english = words_of(Language.EN)
    same = {
        f"{part}.{key}" for part, said in words_of(language).items() for key in said if said[key] == english[part][key]
    }
    assert same - SAME_WORDS == set()


def test_every_sentence_is_said_somewhere_and_no_other(source: list[str]) -> None:
    named = re.compile(rf"\b({'|'.join(keys.__name__ for keys in KEYS)})\.([A-Z][A-Z0-9_]*)\b")
    used = {found.groups() for text in source for found in named.finditer(text)}
    # A memory is shown under whichever it has; the words of settings go with what is declared, as their own test says.
    said = [keys for keys in KEYS if keys not in (Category, Setting)]
    assert {(keys.__name__, key.name) for keys in said for key in keys} - used == set()
    written = {keys.__name__: keys for keys in KEYS if issubclass(keys, SentenceKey)}
    assert [(name, key) for name, key in used if name in written and not hasattr(written[name], key)] == []


def test_no_sentence_stands_in_the_code(source: list[str]) -> None:
    """What is told in each language is no word list: it has places to fill, or ends as a sentence does."""
    nodes = (node for text in source if "Language.EN:" in text for node in ast.walk(ast.parse(text)))
    found = [
        value.value
        for node in nodes
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Attribute) and isinstance(key.value, ast.Name) and key.value.id == "Language"
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]
    assert found
    assert not [text for text in found if "{" in text or text.rstrip().endswith((".", "!", "?", ":", "…"))]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, {0: "0 messages", 1: "1 message", 2: "2 messages"}),
        (Language.DE, {1: "1 Nachricht", 7: "7 Nachrichten"}),
        (Language.FR, {0: "0 message", 1: "1 message", 2: "2 messages"}),
        (Language.ES, {1: "1 mensaje", 21: "21 mensajes"}),
        (Language.RU, {1: "1 сообщение", 3: "3 сообщения", 5: "5 сообщений", 11: "11 сообщений", 21: "21 сообщение"}),
        (Language.RU, {112: "112 сообщений", 122: "122 сообщения", 0: "0 сообщений"}),
    ],
)
def test_words_go_with_their_number(language: Language, said: Mapping[int, str]) -> None:
    assert {count: wording(language, Notice.SO_MANY_MESSAGES, count=count) for count in said} == said


def test_words_of_members_are_never_taken_for_ours() -> None:
    tricky = "{bot} {count.__class__} {0}"
    assert tricky in wording(Language.EN, Phrase.REMEMBERED, name="Ann", fact=tricky)
