"""Spells right what people type in haste, so that phrases are found in it: "remmeber …", "wat do u know abt me".

Only the first words are looked at, and only where no phrase was found in them as they are typed. A slip is a letter
that is missing, doubled or wrong, or two that changed places. What stands where is still known: words behind the verb
come out as they were typed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.language.detect import Language, word_set
from memory.language.text import Folded, fold

FIRST_WORDS = 10
LONG_VERB = 8
"""Of so many letters two may be slips."""

_RUN = re.compile(r"([^\W\d_])\1{2,}+")
_WORD = re.compile(r"[^\W\d_]++")


@dataclass(frozen=True, slots=True)
class _Haste:
    """How one language is typed in haste."""

    chat: dict[str, str]
    """Spellings that everybody uses."""
    verbs: frozenset[str]
    """Words of our verbs that are known through a slip."""
    neighbours: frozenset[str]
    """A slip away from those, and words of their own."""


def _haste(chat: str, verbs: str, neighbours: str) -> _Haste:
    pairs = (pair.partition(":") for pair in fold(chat).split())
    return _Haste({typed: meant for typed, _, meant in pairs}, word_set(verbs), word_set(neighbours))


_HASTE = {
    Language.EN: _haste(
        "u:you ur:your r:are wat:what wut:what wot:what abt:about bout:about plz:please pls:please frgt:forget",
        "remember remembering memorize memorise forget forgetting unremember unlearn delete erase",
        "remembers remembered member members december memories memorized memorised memorizes memorises forgets forgot"
        " forge forged forges forger forgetful stretch stretches deletes deleted elite erased erases eraser",
    ),
    Language.DE: _haste(
        "is:ist ne:eine wat:was vllt:vielleicht ma:mal",
        "merk merke merken vergiss vergesse vergessen notier notiere notieren behalte behalten lösch lösche löschen"
        " streich streiche streichen speicher speichere",
        "mark werk noter merkt merkte merkst vergisst gegessen vergossen notiert behält gehalt behältst gehalten"
        " löscht löschte loch lasch frosch streicht strich streichst speichert speichern speicherte",
    ),
    Language.FR: _haste(
        "ki:qui koi:quoi k:que kel:quel",
        "souviens souvenir rappelle rappeler retiens retenir mémorise mémoriser oublie oubliez oublier efface effacer"
        " supprime supprimer enregistre enregistrer",
        "souvient souvenirs reviens revient revenir retient détiens retenu appelle rappelles rappelez rappels"
        " mémorises oublies publie publier effaces supprimes enregistres",
    ),
    Language.ES: _haste(
        "q:que k:que ke:que kien:quien",
        "recuerda recuerde recordar acuérdate memoriza anota apunta olvida olvídate olvidar borra borrar elimina"
        " eliminar",
        "recuerdo recuerdas recuerdan recuérdame recuérdanos recordad recordé recorder acuérdame anoto anotas anotan"
        " nota apunto apuntas apuntan olvido olvidas olvidan olvidé olvidó olvidado olvidada olvidados borro borras"
        " borran borrón barra borrado"
        " elimino eliminas eliminan eliminado",
    ),
    Language.RU: _haste(
        "чё:что че:что шо:что чо:что",
        "запомни запомните запоминай запомнить помнить забудь забудьте забыть запиши запишите записать удали удалить"
        " сотри сотрите",
        "запомню запомнил запомнила запомнит запомним запоминает запоминаю помните помнит напомни напомните напомнить"
        " забуду забудет забыл забыла забыто запишу записал записи запись записано напиши напишите написать удаль"
        " удалил удалю удалит удалят"
        " смотри сотру сотрёт смотрите",
    ),
}


@dataclass(frozen=True, slots=True)
class Respelt:
    text: Folded
    verb: str | None = None
    """The word that was taken for another; None where none was."""
    slips: int = 0
    ends_at: int = 0
    """Just behind that word."""


def squeezed(folded: Folded) -> Folded:
    """With one letter where three or more of a kind stand: "botttt", but not "Boot"."""
    return _exchanged(folded, [(run.start(), run.end(), run.group()[0]) for run in _RUN.finditer(folded.text)])


def shrunk(text: str) -> str:
    """The same of a text whose places do not matter."""
    return _RUN.sub(r"\1", text)


def in_plain_spelling(word: str) -> str:
    """A folded word of whatever language without repeated letters, and as it is spelt at leisure."""
    word = shrunk(word)
    return _CHAT.get(word, word)


_NEIGHBOURS = frozenset().union(*(haste.neighbours for haste in _HASTE.values()))
_CHAT = _HASTE[Language.EN].chat | _HASTE[Language.RU].chat | {"q": "que"}


def respelt(folded: Folded, language: Language) -> Iterator[Respelt]:
    """The text as it may be meant: by spelling alone, and with each verb in it that a word may be."""
    haste = _HASTE[language]
    text = squeezed(folded)
    words = _first_words(text)
    text = _exchanged(text, [(*word.span(), haste.chat[word.group()]) for word in words if word.group() in haste.chat])
    if text.text != folded.text:
        yield Respelt(text)
    for word in _first_words(text):
        typed = word.group()
        if typed in _NEIGHBOURS or typed in haste.verbs:
            continue
        for verb in (verb for verb in haste.verbs if verb[0] in typed[:2]):
            slips = _slips(typed, verb)
            if slips <= (2 if len(verb) >= LONG_VERB else 1):
                yield Respelt(_exchanged(text, [(*word.span(), verb)]), verb, slips, word.start() + len(verb))


def _first_words(folded: Folded) -> list[re.Match[str]]:
    return [word for _, word in zip(range(FIRST_WORDS), _WORD.finditer(folded.text), strict=False)]


def _exchanged(folded: Folded, changes: Sequence[tuple[int, int, str]]) -> Folded:
    """Other words in the place of some, each standing where the other began."""
    if not changes:
        return folded
    pieces: list[str] = []
    origins: list[int] = []
    place = 0
    for start, end, word in changes:
        pieces += [folded.text[place:start], word]
        origins += [*folded.origins[place:start], *[folded.origins[start]] * len(word)]
        place = end
    return Folded(folded.original, "".join(pieces) + folded.text[place:], (*origins, *folded.origins[place:]))


def _slips(typed: str, meant: str) -> int:
    """How many lie between two words (Damerau and Levenshtein); 3 for more, and where they begin otherwise."""
    begins_alike = typed[0] == meant[0] or typed[1:3] in (meant[:2], meant[:1] + meant[2:3])
    if not begins_alike or abs(len(typed) - len(meant)) > 2:
        return 3
    before: list[int] = []
    above = list(range(len(meant) + 1))
    for row, letter in enumerate(typed, start=1):
        here = [row]
        for column, wanted in enumerate(meant, start=1):
            least = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != wanted))
            if row > 1 and column > 1 and letter == meant[column - 2] and typed[row - 2] == wanted:
                least = min(least, before[column - 2] + 1)
            here.append(least)
        before, above = above, here
    return min(above[-1], 3)
