"""A sentence taken apart into words and what stands between them, so that words can be exchanged one by one."""

import re
from dataclasses import dataclass

from memory.language.detect import Language, word_set
from memory.language.text import fold, plain_words, words_in
from memory.language.wording import SentenceKey, wording

_PIECES = re.compile(r"<[@#:][^<>\s]*>|[^\W_]+(?:['’ʼ][^\W_]+)*|\s+|.", re.DOTALL)


@dataclass(slots=True)
class Piece:
    """A word, a stretch of space, or a mark. `key` is the word folded, for looking it up."""

    text: str
    key: str

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text.startswith("<@")


class Sentence:
    """Pieces of a text; words are numbered, and exchanged by number."""

    def __init__(self, text: str) -> None:
        self.pieces = [Piece(found.group(), fold(found.group())) for found in _PIECES.finditer(text)]
        self._places = [place for place, piece in enumerate(self.pieces) if piece.is_word]

    @property
    def words(self) -> list[Piece]:
        return [self.pieces[place] for place in self._places]

    def follows_directly(self, number: int) -> bool:
        """Whether nothing but space stands between the word before and this one."""
        if number == 0:
            return False
        between = self.pieces[self._places[number - 1] + 1 : self._places[number]]
        return all(piece.text.isspace() for piece in between)

    def is_last(self, number: int) -> bool:
        """Whether no word follows before the next mark or the end."""
        return number + 1 == len(self._places) or not self.follows_directly(number + 1)

    def exchange(self, number: int, text: str) -> None:
        """Put other text in a word's place; the looked-up word stays what was said."""
        self.pieces[self._places[number]].text = text

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def conjugations(line: str) -> dict[str, str]:
    """A table of `first:third` pairs, looked up by the folded first person."""
    return {fold(first): third for first, _, third in (pair.partition(":") for pair in line.split())}


# Words kept as they were said, with who said them; and how to tell that words need it.


class Attribution(SentenceKey):
    """Whose word something is."""


# First person of either number, and second person: in a command to us "you" is us.
_PERSONAL: dict[Language, frozenset[str]] = {
    Language.EN: word_set("i me my mine myself im ive we us our ours ourselves you your yours yourself youre u ur"),
    Language.DE: word_set(
        "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer du dich dir"
        " dein deine deinen deinem deiner euch euer eure"
    ),
    Language.FR: word_set("je j moi me m mon ma mes mien mienne nous notre nos tu toi te ton ta tes vous votre vos"),
    Language.ES: word_set(
        "yo me mi mis mio mia mios mias conmigo nosotros nosotras nos nuestro nuestra nuestros nuestras tu te ti tus"
        " contigo usted soy estoy tengo quiero puedo voy hago fui nací odio prefiero hablo creo necesito somos estamos"
        " tenemos"
    ),
    Language.RU: word_set(
        "я меня мне мной мною мой моя моё мои моего моей моих моему моим моими моём мою мы нас нам нами наш наша наше"
        " наши нашей нашего ты тебя тебе тобой твой твоя твоё твои вы вас вам вами ваш ваша ваше ваши"
    ),
}
_SUBJECTS = word_set("i ich je j yo я")
_INNER_SPEECH = re.compile('["“”„«»‹›\n]')


BEFORE_TEA = r"(?:el|un|del|al|de|mi|su|con|más|mucho)"
"""Behind these a Spanish "te" is no person, with or without its accent."""
_TEA = re.compile(rf"\b{fold(BEFORE_TEA)}\s++te\b")


def speaks_in_person(text: str, language: Language) -> bool:
    """Whether the text has a first or second person, so that it would be untrue without its speaker."""
    said = _TEA.sub(" ", fold(text)) if language is Language.ES else text
    return any(word in _PERSONAL[language] for word in plain_words(said))


def has_bare_subject(text: str) -> bool:
    """Whether an "I" of any language is left, as in a sentence that mixes two."""
    return any(word.text in _SUBJECTS for word in words_in(text))


def unfit_to_convert(text: str) -> bool:
    """Speech inside speech has a first person of its own; questions and several lines are better left alone."""
    return bool(_INNER_SPEECH.search(text)) or text.rstrip().endswith("?")


def quote(text: str, speaker: str, language: Language) -> str:
    inner = re.sub("[“”]", '"', text.strip())
    return wording(language, Attribution.IN_OWN_WORDS, speaker=speaker, words=inner)
