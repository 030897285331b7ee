"""Words and their stems, as PostgreSQL's own dictionaries make them; asked once for each word."""

from collections.abc import Collection, Mapping, Sequence

from memory.core.fleeting import is_forgetful
from memory.core.language import Language
from memory.store.reading import Reads

KNOWN_WORDS = 40_000

DICTIONARIES = {
    Language.EN: "english_stem",
    Language.DE: "german_stem",
    Language.FR: "french_stem",
    Language.ES: "spanish_stem",
    Language.RU: "russian_stem",
}
"""They come with every PostgreSQL. A word of no language, or of one we cannot tell, is its own stem."""


class Lexicon:
    """Bounded; forgets everything when it is full, because the words that matter come back at once."""

    def __init__(self) -> None:
        self._stems: dict[Language, dict[str, str | None]] = {language: {} for language in DICTIONARIES}
        is_forgetful(self)

    def forget_words(self) -> None:
        for known in self._stems.values():
            known.clear()

    async def stems(
        self, connection: Reads, words: Mapping[Language | None, Collection[str]]
    ) -> dict[Language | None, dict[str, str | None]]:
        """In each of these languages, the stem of each of its words, or None for a word that carries no topic."""
        found: dict[Language | None, dict[str, str | None]] = {}
        unknown: list[tuple[Language, str]] = []
        for language, said in words.items():
            if language is None:
                found[language] = {word: word for word in said}
            else:
                known = self._stems[language]
                found[language] = {word: known[word] for word in said if word in known}
                unknown += [(language, word) for word in set(said) - found[language].keys()]
        for language, word, stem in await _asked(connection, unknown):
            found[language][word] = stem
            self._learn(language, word, stem)
        return found

    def _learn(self, language: Language, word: str, stem: str | None) -> None:
        known = self._stems[language]
        if len(known) >= KNOWN_WORDS:
            known.clear()
        known[word] = stem


async def _asked(connection: Reads, unknown: Sequence[tuple[Language, str]]) -> list[tuple[Language, str, str | None]]:
    if not unknown:
        return []
    rows = await connection.fetch(
        """
        SELECT ts_lexize(dictionary::regdictionary, word) AS stems
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (dictionary, word, place) ORDER BY place
        """,
        [DICTIONARIES[language] for language, _ in unknown],
        [word for _, word in unknown],
    )
    return [(language, word, _stem(word, row["stems"])) for (language, word), row in zip(unknown, rows, strict=True)]


def _stem(word: str, stems: list[str] | None) -> str | None:
    if stems is None:
        return word
    return stems[0] if stems else None
