"""What is made of a model's reply to the prompt of an answer: words that can do nothing but be read.

Its numbers leave the text, and where they stood is kept beside it: which of their sources can be opened by those who
read the answer, and so which numbers it will bear, is decided when it is sent.
"""

import html
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from pydantic import BaseModel

from ai_clients.errors import BadReply, Refused
from memory.answers.gather import Material
from memory.answers.prompt import Asked, with_names
from memory.channels.values import SummaryLine
from memory.contexts.parts import ContextSources
from memory.core.outcomes import Answer, Citation
from memory.core.provenance import Read
from memory.core.values import Fact, Message, text_of
from memory.language.dates import MONTHS, NUMBERS, UNITS, WEEKDAYS
from memory.language.detect import language_of, word_set
from memory.language.sentences import sentences_of
from memory.language.stems import WordForms, stem
from memory.language.text import fold, repair, words_in
from memory.models.prompt_data import calm
from memory.receipts.overlap import Input, telling_words

# What a model replies with.


MOST_SEARCHES: Final = 3
LONGEST_SEARCH: Final = 200


class Kind(StrEnum):
    MEMORY = "memory"
    GENERAL = "general"
    MISSING = "missing"


class ModelReply(BaseModel):
    kind: Kind
    answer: str = ""
    searches: list[str] = []

    def to_look_for(self) -> tuple[str, ...]:
        """The searches, as much of them as anybody would type."""
        wanted = (" ".join(repair(search[:LONGEST_SEARCH]).split()) for search in self.searches[:MOST_SEARCHES])
        return tuple(dict.fromkeys(search for search in wanted if search))


# Tells a model's refusal ("I'm sorry, but I can't help with that.") from an answer, in five languages.
#
# A refusal is short, cites nothing and says in its first words that it will not. "I can't find anything about that" is
# an answer: it says what is known.


LONGEST: Final = 400
"""Characters. Whoever says more has said something."""

_SORRY: Final = (
    r"(?:(?:i'm|i am) (?:(?:so|very|really|truly) )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|"
    r"(?:es )?tut mir (?:(?:sehr|wirklich) )?leid|entschuldig\w*|verzeih\w*|leider|"
    r"(?:je suis )?(?:(?:vraiment|sincerement) )?desole\w*|pardon|malheureusement|"
    r"lo siento(?: mucho)?|lo lamento|perdon\w*|disculp\w*|lamentablemente|desafortunadamente|"
    r"извини\w*|прости\w*|прошу прощения|(?:мне )?(?:очень )?жаль|к сожалению)"
)
_MACHINE: Final = (
    r"(?:as an? (?:ai|artificial intelligence|(?:large )?language model)|"
    r"als (?:eine? )?(?:ki|kunstliche intelligenz|sprachmodell)|"
    r"en tant qu(?:'|e )(?:une? )?(?:ia|intelligence artificielle|modele de langage|modele de langue)|"
    r"como (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje)|"
    r"(?:как|я) (?:ии|искусственныи интеллект|языковая модель|большая языковая модель))\b"
)
_OBJECT: Final = (
    r"(?:that|this|those|these|it|such|your|you|any|information|instructions|advice|content|medical|legal|financial|"
    r"personal|harmful|illegal|explicit|sexual|violent)"
)
_UNWILLING: Final = (
    # English
    r"(?:i (?:can't|cannot|can not|won't|will not|must decline to|have to decline to|decline to)|"
    r"(?:i am|i'm) (?:unable|not able|not allowed|not permitted|not comfortable)(?: to)?)"
    r" (?:(?:help|assist|comply|fulfill?|engage|participate|discuss|support|generate|create|produce|provide|continue)"
    rf"\w* (?:(?:you|with|in|to|on|about) )*{_OBJECT}\b|(?:help|assist|comply)\w*[.!]|"
    r"(?:answer|respond(?: to)?|do) (?:that|this|your)(?: (?:question|request|prompt))?[.!])",
    r"i (?:must|have to) (?:respectfully )?(?:decline|refuse)\b",
    r"(?:that|this)(?:'s| is) (?:not something i can|something i (?:can't|cannot)) (?:help|assist|discuss|answer)",
    # German
    r"(?:(?:dabei|damit|darauf|daruber|das|dazu|diese\w*(?: \w+)?) )?"
    r"(?:ich (?:kann|darf|werde|mochte)|(?:kann|darf|werde|mochte) ich)(?: \w+){0,5} (?:nicht|keine\w*)(?: \w+){0,3} "
    r"(?:helfen|weiterhelfen|unterstutzen|behilflich|nachkommen|erfullen|beantworten|antworten|sprechen|diskutieren)\b",
    # French
    r"je ne (?:peux|puis|pourrai|suis)(?: malheureusement)? pas (?:(?:en mesure|autorisee?|capable) )?(?:d(?:e |'))?"
    r"(?:(?:vous|te|y|lui) |t')?(?:aider|assister|repondre a (?:cette|cela|ce|votre|ta)|fournir (?:ce|cette|ces|de)|"
    r"discuter de|donner suite|traiter cette|satisfaire|acceder a)\b",
    # Spanish
    r"(?:me temo que )?no (?:puedo|me es posible|me esta permitido|estoy en condiciones de)"
    r" (?:ayudar|asistir|responder a|proporcionar|cumplir|atender|hablar de|discutir|participar)\w*\b",
    # Russian: folded, so й is и
    r"я не (?:могу|смогу|буду|имею права|в состоянии)(?: \w+){0,3} "
    r"(?:помочь|помогать|отвечать на|ответить на (?:этот|это|такои)|обсуждать|предоставить|выполнить|поддержать)\b",
)
_REFUSES: Final = re.compile(
    rf"\s*(?:{_SORRY}[\s,.!:;–—-]*)?(?:(?:but|aber|doch|mais|pero|но|что)\s+)?"
    rf"(?:{_MACHINE}|{'|'.join(_UNWILLING)})".replace(" ", r"\s+")
)


def is_refusal(text: str) -> bool:
    """Whether a reply that cites nothing will not answer."""
    return len(text) <= LONGEST and _REFUSES.match(fold(text)) is not None


REPLY_LIMIT = 6_000

_CITED = re.compile(r"\s?\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\](?=[\s.,;:!?)\[]|$)|\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\]")
"""With the space before it, unless that is the only one between what stands around it."""
_FIRST_MARK = 0xF0000
_MARKS = f"{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + 0xFFFD)}"
"""For private use: no language is written in them, and what a model writes in them is left out."""
_MARK = re.compile(f"[{_MARKS}]")
_REST = rf"[^\s<>()\[\]{_MARKS}]*[^\s<>()\[\].,;:!?'\"*_~|{_MARKS}]"
_LINK = re.compile(
    rf"(?:https?://|www\.|discord\.gg/|discord(?:app)?\.com/)(?:\[[^\s\[\]<>()]*\](?:{_REST})?|{_REST})", re.IGNORECASE
)
"""A host may stand in brackets of its own."""
LONGEST_ECHO = 40
"""A line of the rules that is at least this long may not come back in a reply."""


def cited_by(text: str, asked: Asked) -> list[int]:
    """The places of the items that a reply names by their numbers, in the order in which it does."""
    return [place for cited in _CITED.finditer(text) for place in _places(cited, asked)]


def read(text: str, asked: Asked) -> Answer:
    """The reply as an answer: without tags, foreign links and calls, with the sources that it names.

    Raises `ModelError` where it is none.
    """
    text = _MARK.sub("", text)
    said = _without_foreign_links(_bare(text, asked.fence), asked)
    if any(len(rule) >= LONGEST_ECHO and rule in said for rule in _bare(asked.prompt.rules, asked.fence).splitlines()):
        raise BadReply("the model told its rules instead of an answer")
    if not said:
        raise BadReply("nothing was left of the reply")
    said = said[:REPLY_LIMIT]
    sources = dict.fromkeys(asked.sources[place] for place in cited_by(text, asked))
    if not sources and is_refusal(said):
        raise Refused("the model said that it will not answer")
    return Answer(said, tuple(sources), without_model=False, citations=_citations(text, said, asked))


def _places(cited: re.Match[str], asked: Asked) -> list[int]:
    numbers = map(int, (cited[1] or cited[2]).split(","))
    return [number - 1 for number in numbers if 0 < number <= len(asked.sources)]


def _citations(text: str, said: str, asked: Asked) -> tuple[Citation, ...]:
    """Where in what is left of the reply its numbers stood: it is read once more, with marks in their places."""
    marked = _CITED.sub(lambda cited: "".join(chr(_FIRST_MARK + place) for place in _places(cited, asked)), text)
    if marked == text:
        return ()
    left = _without_foreign_links(_bare(marked, asked.fence), asked)
    # Where a mark stood in the way of a rule that made something harmless, nobody can say where it belongs.
    if not _MARK.sub("", left).startswith(said):
        return ()
    found = list(_MARK.finditer(left))
    return tuple(
        Citation(mark.start() - number, asked.sources[ord(mark[0]) - _FIRST_MARK])
        for number, mark in enumerate(found)
        if mark.start() - number <= len(said)
    )


def _without_foreign_links(text: str, asked: Asked) -> str:
    """Last of all: before, one may still be hidden in entities, or taken apart by characters that nobody sees."""
    given = html.unescape(asked.prompt.data)
    return _LINK.sub(lambda link: link[0] if link[0] in given else "…", text)


def _bare(text: str, fence: str) -> str:
    """A model's words without what was only between it and us."""
    return calm(_CITED.sub("", re.sub(rf"</?\w+-{re.escape(fence)}[^>]*>", "", text)))


# What the rules of the prompt ask for, where a model does not keep to it: what nobody asked for is left out.


LONGEST_UNASKED: Final = 1_500
"""Characters of an answer to somebody who does not ask for more, cut at the end of a sentence."""
_WANTS_MORE: Final = word_set(
    "all every everything each list lists detail details detailed explain story long longer more summary summarise"
    " summarize sum recap overview tell alle alles jede liste einzelheiten ausführlich erkläre geschichte mehr"
    " zusammenfassung zusammen überblick erzähl tous toutes tout liste détail détails explique histoire plus résumé"
    " résume raconte todos todas todo lista detalle detalles explica historia más resumen resume cuenta все всё список"
    " подробно подробнее объясни история больше итог итоги обзор расскажи"
)
_SUMS_UP: Final = re.compile(
    r"\W*+(?:in (?:summary|conclusion)|to (?:sum|summari[sz]e)|overall|zusammenfassend|zusammengefasst|insgesamt|"
    r"en (?:resume|conclusion|somme)|pour resumer|en (?:resumen|conclusion)|para resumir|"
    r"в (?:итоге|целом|заключение)|подводя итог|итого)\b"
)


_LIST_MARKS: Final = "*-• 0123456789.)"


def to_the_point(text: str, question: str, inputs: Sequence[Input]) -> str:
    """A reply without sentences that repeat the question or one another, sum up what they stand behind, or speak of
    something else than the question and all that was given; and no longer than anybody reads unasked."""
    wants_more = any(word.text in _WANTS_MORE for word in words_in(question))
    asked, said, left = telling_words(question), set[str](), list[tuple[int, int]]()
    for sentence in sentences_of(text):
        bare = fold(_CITED.sub("", sentence.text))
        if bare in said or _is_beside_the_point(bare, sentence.text, asked, question, inputs):
            continue
        if left and not wants_more and (_SUMS_UP.match(bare) or sentence.end > LONGEST_UNASKED):
            break
        said.add(bare)
        left.append((sentence.start, sentence.end))
    if len(left) == len(sentences_of(text)) or not left:
        return text
    return _kept(text, left)


def _is_beside_the_point(bare: str, text: str, asked: frozenset[str], question: str, inputs: Sequence[Input]) -> bool:
    """It asks back what was asked, or names no line and shares no word with anything."""
    said = telling_words(bare)
    if bare.endswith("?"):
        return bool(said) and said <= asked
    strange = sum(word not in _OF_DATES for word in said - asked)
    return strange >= STRANGE and not _CITED.search(text) and bool(inputs) and not rests_on(bare, question, inputs)


def _kept(text: str, places: Sequence[tuple[int, int]]) -> str:
    """A new line stands where there was one, with the mark of a list; otherwise a space."""
    parts = [text[slice(*places[0])]]
    for (_, before), (start, end) in pairwise(places):
        _, line, mark = text[before:start].rpartition("\n")
        parts += [f"{line}{mark if not mark.strip(_LIST_MARKS) else ''}" if line else " ", text[start:end]]
    return "".join(parts)


# What of its prompt a model's answer repeats. Looked at when the answer is there: nobody waits for it before.


Names = Mapping[int, str]


STRANGE: Final = 3
"""So many telling words of its own, none of them from what is cited, and the rest only repeats the question."""
_OF_DATES: Final = frozenset(stem(word) for word in (*MONTHS, *WEEKDAYS, *UNITS, *NUMBERS))


def rests_on(text: str, question: str, basis: Sequence[Input]) -> bool:
    """Whether an answer shares a telling word, name or number with what it was taken from.

    A date need not stand there: it is told with every line. Of another language nobody can say.
    """
    if not basis:
        return False
    read = "\n".join(one.text for one in basis)
    spoken, written = language_of(text), language_of(read)
    if spoken is not None and written is not None and spoken is not written:
        return True
    known = WordForms(telling_words("\n".join((read, *(one.people for one in basis)))))
    asked = telling_words(question)
    said = telling_words(text)
    own = said - asked
    strange = sum(word not in _OF_DATES for word in own)
    shared = own if strange >= STRANGE else said if strange else said | asked
    return any(word in known for word in shared)


def inputs_of(material: Material, asked: Asked, names: Names) -> list[Input]:
    """What stands in a prompt: the numbered items in their order, then what was answered before, then the contexts."""
    items = [_item(item, names) for item in asked.items]
    earlier = [Input(with_names(one.answered, names), one.quoted) for one in asked.exchanges]
    behind = {
        user_id: ContextSources.unpacked(material.behind[user_id])
        for user_id in asked.members or ()
        if material.behind.get(user_id)
    }
    # There may be a thousand facts at hand, of which a context was made from a few.
    merged = frozenset(fact_id for sources in behind.values() for fact_id in sources.facts)
    facts = {fact.fact_id: _fact(fact, names) for fact in material.facts if fact.fact_id in merged}
    contexts = [
        _context(user_id, material.contexts[user_id], sources, facts, names) for user_id, sources in behind.items()
    ]
    return [*items, *earlier, *contexts]


def _context(user_id: int, text: str, sources: ContextSources, facts: Mapping[int, Input], names: Names) -> Input:
    told = (facts.get(fact_id) or Input("", Read(facts={fact_id: digest})) for fact_id, digest in sources.facts.items())
    called = _called({user_id}, names)
    days = (Input(with_names(day.text, names), day.read, called) for day in sources.days)
    return Input(with_names(text, names), sources.read, called, parts=(*told, *days))


def _item(item: Fact | SummaryLine | Message, names: Names) -> Input:
    match item:
        case Fact():
            return _fact(item, names)
        case SummaryLine():
            read = Read(summaries=frozenset({item.summary_id}), channels=frozenset({item.channel_id}))
            return Input(with_names(item.text, names), read)
        case Message():
            return _message(item, names)


def _fact(fact: Fact, names: Names) -> Input:
    """People are known by the names that the model was given for them."""
    people = {fact.teller_id} if fact.subject_id is None else {fact.teller_id, fact.subject_id}
    return Input(with_names(fact.text, names), Read.of_facts([fact]), _called(people, names))


def _message(message: Message, names: Names) -> Input:
    return Input(with_names(text_of(message), names), Read.of_messages([message]), _called({message.author_id}, names))


def _called(people: set[int], names: Names) -> str:
    return " ".join(names[user_id] for user_id in sorted(people) if user_id in names)
