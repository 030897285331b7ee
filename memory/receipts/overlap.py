"""Finds which texts a reply rests on: those that it cites, and those whose words it repeats.

A text that is not cited counts only for what nothing else explains: a name, a number or a rare word of it that stands
neither in the question nor in a cited text. A name or a long number tells by itself. Another word may stand in both by
chance, so it takes two, unless the reply is short: one that the reply adds, and another, or one of the question.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.core.provenance import Evidence, Read
from memory.language.dates import MONTHS, NUMBERS, UNITS, WEEKDAYS
from memory.language.detect import word_set
from memory.language.stems import WordForms, stem, topics
from memory.language.text import fold

# What is said of anything at all, in replies as in what they are made from.
_SAID_OF_ANYTHING = frozenset(
    stem(word)
    for word in word_set(
        "know knows known say says said told tell tells mention mentioned remember remembers thing things someone"
        " something anything nothing day days today yesterday tomorrow time date server also there think"
        " weiß weiss wissen sagt sagte gesagt erzählt erzählte erwähnt erinnere ding dinge jemand tag tage heute"
        " gestern morgen zeit uhr"
        " sais sait savoir dit disait raconté mentionné souviens chose choses quelqu rien jour jours aujourd hui hier"
        " demain temps heure"
        " sé sabe saber dice dijo dicho contó mencionó recuerdo cosa cosas alguien nada día días hoy ayer mañana"
        " tiempo hora"
        " знаю знает знать сказал сказала сказали говорит говорил рассказал рассказала упомянул помню вещь кто-то"
        " что-то ничего день дни сегодня вчера завтра время час"
    )
)
# Said so often that a reply and a text share it by chance.
_COMMON = frozenset(
    stem(word)
    for word in word_set(
        "ask answer begin bring buy call come euro find first get give go good great help home house keep last leave"
        " left like live look make maybe mean meet move name need new next night nobody old part people place put rest"
        " right see show since start still sure take talk thank try turn use wait want way week work write year yet"
        " frage antwort beginnt bringt kauft ruft kommt findet erste gibt geht gut groß hilft haus hält letzte lässt"
        " lebt schaut macht vielleicht meint trifft name braucht neu nächste nacht niemand alt teil leute ort rest"
        " richtig sieht zeigt nimmt redet danke versucht wartet will weg woche arbeit schreibt jahr steht bleibt liegt"
        " demande répond commence apporte achète appelle vient trouve premier donne va bon grand aide maison garde"
        " dernier laisse aime regarde fait peut-être besoin nouveau prochain nuit personne vieux partie gens endroit"
        " met voit montre prend parle merci essaie attend veut semaine travail écrit année"
        " pregunta responde empieza trae compra llama viene encuentra primero da va bueno grande ayuda casa último"
        " deja gusta mira hace quizás necesita nuevo próximo noche nadie viejo parte gente lugar pone ve muestra toma"
        " habla gracias intenta espera quiere semana trabajo escribe año"
        " вопрос ответ начал принес купил зовут пришел нашел первый дал идет хорошо большой помог дом последний"
        " оставил живет смотрит делает может нужно новый следующий ночь никто старый часть люди место видел показал"
        " взял говорит спасибо ждет хочет неделя работа пишет год сказано"
    )
)
_OF_DATES = frozenset(stem(word) for word in (*MONTHS, *WEEKDAYS, *UNITS, *NUMBERS))
_INSIDE = re.compile(r"(?<=[\w,;:(] )[^\W\d_]\w*")
"""A word inside a sentence: it has a capital letter of its own, or none."""
LONG_NUMBER = 3
"""Digits of a number that nobody comes upon by chance."""
SHORT = 3
"""Words that a reply adds to its question and what it cites. Of so few one is enough, if it cites nothing or the text
is of somebody whom the question names."""
MOST_SAYERS = 3
"""People who use a word that is rare. What more of them say is common talk here, and no one of them explains it."""

# Written without spaces, every character nearly a word: two of them tell something.
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f\uac00-\ud7af]+")
# Written without spaces, in letters: it takes about a syllable or two.
_SPELT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_SPELT_LENGTH = 4
_GRAMMAR = re.compile("^[\u3041-\u309f]+$|[的了是不在有我你他她它们這这那和也就都说說吗嗎呢吧]")
"""Endings and particles of Japanese, and what no Chinese sentence can do without."""


@dataclass(frozen=True, slots=True)
class Input:
    """Holds something a reply could be made from: what it says, and what it goes back to."""

    text: str
    read: Read
    people: str = ""
    """The names of those whose words it is, or whom it is about: by themselves they tell nothing."""
    parts: tuple["Input", ...] = field(default=(), repr=False)
    """Of a text that was merged: what it was merged from, as far as that is known."""


def quoted_by(reply: str, question: str, inputs: Sequence[Input], cited: Iterable[int] = ()) -> Evidence:
    """Find what the reply could have used, and what of that it rests on. `cited`: places of inputs it points to."""
    pointed_to = [inputs[place] for place in frozenset(cited)]
    echo = _Echo(reply, question, inputs, pointed_to)
    lines = [(one, echo.repeated_from(one)) for one in inputs if not one.parts]
    quoted = [*pointed_to, *(one for one, repeated in lines if repeated)]
    # What somebody's very words explain need not come from a text that was made of them as well.
    explained = frozenset[str]().union(*(repeated for _, repeated in lines))
    for merged in inputs:
        if merged.parts and (repeated := echo.repeated_from(merged) - explained):
            parts = [(part, echo.shared_with(part) & repeated) for part in merged.parts]
            found = frozenset[str]().union(*(shared for _, shared in parts))
            # A word that no part has may come from any of them.
            quoted += [part for part, shared in parts if shared] if found == repeated else [merged]
    return Evidence(Read.of_all(one.read for one in inputs), Read.of_all(one.read for one in quoted))


class _Echo:
    """Holds the words of a reply that neither its question nor what it cites explains."""

    def __init__(self, reply: str, question: str, inputs: Sequence[Input], cited: Sequence[Input]) -> None:
        asked = telling_words(question)
        explained = WordForms(asked.union(*(telling_words(f"{one.text} {one.people}") for one in cited)))
        own = {word for word in telling_words(reply) - _COMMON if word not in explained}
        people = frozenset[str]().union(*(telling_words(one.people) for one in inputs))
        self._forms = WordForms((own | asked) - _COMMON - people)
        sayers: dict[str, set[str]] = {}
        for one in inputs:
            for word in self._said_in(one):
                sayers.setdefault(word, set()).add(one.people)
        rare = {word for word, some in sayers.items() if len(some) <= MOST_SAYERS}
        self._own, self._asked, self._people = own & rare, asked & rare, own & people
        self._names = _names_in(reply)
        self._is_short = len(own - people) <= SHORT
        self._is_bare = self._is_short and not cited
        self._asked_of = asked & people

    def repeated_from(self, one: Input) -> frozenset[str]:
        """Find what the reply has from this text; nothing, if they share no more than chance would have it."""
        shared = self.shared_with(one)
        if not shared:
            return shared
        names = self._names | _names_in(one.text)
        of_whom = telling_words(one.people)
        is_of_asked = not of_whom.isdisjoint(self._asked_of)
        if any(word in names or self._tells(word, is_of_asked=is_of_asked) for word in shared - self._people):
            return shared
        # Several short numbers are no better than one.
        things = {"" if word.isdigit() else word for word in shared - self._people}
        about = (self._said_in(one) & self._asked) | (of_whom & self._people)
        return shared if len(things) + len(about) > 1 else frozenset()

    def shared_with(self, one: Input) -> frozenset[str]:
        """Find the words shared with a text. Asked who likes it, the reply is a name: it counts for what says so."""
        said = self._said_in(one)
        who = telling_words(one.people) & self._people if said & self._asked else frozenset[str]()
        return said & self._own | who

    def _tells(self, word: str, *, is_of_asked: bool) -> bool:
        """Say whether a word tells by itself where it comes from. Not every script has capitals to show names."""
        if word[0].isdigit():
            return len(word) >= LONG_NUMBER or (self._is_bare and len(word) > 1)
        is_alone = self._is_bare or (self._is_short and is_of_asked)
        return word.upper() == word.lower() or (is_alone and word not in _OF_DATES)

    def _said_in(self, one: Input) -> frozenset[str]:
        return self._forms.said_in(telling_words(one.text))


def _names_in(text: str) -> frozenset[str]:
    """Find words with a capital letter that is not there for the sentence."""
    inside = (word for word in _INSIDE.findall(text) if word != word.lower())
    return frozenset(name for word in inside for name in telling_words(word)) - _OF_DATES


def telling_words(text: str) -> frozenset[str]:
    """Find the words that tell something, roughly without their endings; of scripts without spaces, pieces of them."""
    words = {word for word in topics(text) if word not in _SAID_OF_ANYTHING and (len(word) > 1 or word.isdigit())}
    if text.isascii():
        return frozenset(words)
    # Folding takes syllables and voiced kana apart; for these scripts they are put together again.
    whole = unicodedata.normalize("NFC", fold(text))
    words = {word for word in words if not (_DENSE.search(_composed(word)) or _SPELT.search(_composed(word)))}
    for run in _DENSE.findall(whole):
        pieces = [run] if len(run) == 1 else [run[place : place + 2] for place in range(len(run) - 1)]
        words.update(piece for piece in pieces if not _GRAMMAR.search(piece))
    for run in _SPELT.findall(whole):
        places = range(max(len(run) - _SPELT_LENGTH, 0) + 1)
        words.update(run[place : place + _SPELT_LENGTH] for place in places)
    return frozenset(words)


def _composed(word: str) -> str:
    return unicodedata.normalize("NFC", word)
