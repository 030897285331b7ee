"""Words and their stems, as PostgreSQL's own dictionaries make them; asked once for each word."""

from collections.abc import Collection

from memory.core.language import Language
from memory.store.database import Connection

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

    async def stems(
        self, connection: Connection, language: Language | None, words: Collection[str]
    ) -> dict[str, str | None]:
        """The stem of each word, or None for a word that carries no topic."""
        if language is None:
            return {word: word for word in words}
        known = self._stems[language]
        unknown = [word for word in set(words) if word not in known]
        if unknown:
            if len(known) + len(unknown) > KNOWN_WORDS:
                known.clear()
                unknown = list(set(words))
            rows = await connection.fetch(
                "SELECT word, ts_lexize($2::text::regdictionary, word) AS stems FROM unnest($1::text[]) AS word",
                unknown,
                DICTIONARIES[language],
            )
            known.update({row["word"]: _stem(row["word"], row["stems"]) for row in rows})
        return {word: known[word] for word in words}


def _stem(word: str, stems: list[str] | None) -> str | None:
    if stems is None:
        return word
    return stems[0] if stems else None
