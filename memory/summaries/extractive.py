"""Tells a day by quoting it: for each member their most telling sentences, and for all what happened.

Pure: a day is what was said on it, in any order. Whoever asks hands in the messages that the readers of the result may
read, and nobody else's words come out. The same day gives the same sentences. Where the weights of a sentence come
from: docs/decisions/summaries.md.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from memory.core.values import AuthorKind, Message, Source, attention, text_of
from memory.language.detect import ALL_STOP_WORDS, word_set
from memory.language.own_words import FIRST_PERSON
from memory.language.question_words import Want, signs_of
from memory.language.sensitive import is_sensitive
from memory.language.sentences import sentences_of
from memory.language.stems import stem, words_of
from memory.language.text import FILLER, fold, hide_borrowed
from memory.language.wording import SentenceKey

# What of a message may be quoted at all: its author's own statements, and nothing that says nothing.
#
# Left out are bots and our own words, commands to other bots, borrowed words, bare links and emoji, greetings and
# cheers, and whatever touches a sensitive topic, with all of the message that it stands in.


SHORTEST = 12
LONGEST = 280
"""Characters of a sentence that is quoted; a longer one only where there is nothing else."""
LONGEST_ALONE = 500
_LEAST_WORDS = 2
_MOST_LOOKED_AT = 4_000
_COMMAND = re.compile(r"\s*(?:[!/$%;+~&]{1,2}|[.?-])[a-z][\w-]*(?:\s|$)", re.IGNORECASE)
_MARKS = re.compile(r"<a?:\w{2,32}:\d+>|<[@#][!&]?\d+>|<(?:t|id):[^<>]*>|<\/[^<>:]*:\d+>")
_BORROWED = re.compile(f"{FILLER}+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Holds a sentence that may be quoted."""

    message_id: int
    text: str
    stems: tuple[str, ...]
    """What it is about, each once."""
    words: frozenset[str]
    """All its words, folded."""
    place: int
    """Which sentence of its message it is, from 0."""


def candidates(message: Message) -> Iterator[Candidate]:
    """List the sentences of a message that may be quoted."""
    text = message.text[:_MOST_LOOKED_AT]
    if message.author_kind is not AuthorKind.PERSON or not text.strip() or _COMMAND.match(text):
        return
    if is_sensitive(text_of(message)):
        return
    found = sentences_in(text, message.message_id)
    # What was cut off at the end of a pasted file is no sentence.
    yield from found[: -1 if len(message.text) > _MOST_LOOKED_AT else None]


def sentences_in(text: str, message_id: int) -> list[Candidate]:
    """Read the sentences of a text that tell anything."""
    hidden = hide_borrowed(text)
    found: list[Candidate] = []
    for place, sentence in enumerate(sentences_of(text)):
        said = hidden[sentence.start : sentence.end]
        own = _MARKS.sub(" ", said).replace(FILLER, " ")
        words = words_of(own)
        topics = [word for word in words if word not in ALL_STOP_WORDS and word not in CHATTER and not word.isdigit()]
        # Own words in one line, with "…" where something borrowed stood.
        quote = " ".join(_BORROWED.sub("…", said).split())
        if len(topics) >= _LEAST_WORDS and len(" ".join(own.split())) >= SHORTEST and len(quote) <= LONGEST_ALONE:
            stems = tuple(dict.fromkeys(map(stem, topics)))
            found.append(Candidate(message_id, quote, stems, frozenset(words), place))
    return found


# How much a sentence tells about its author's day.


CHATTER = word_set(
    "hi hello hey hiya yo sup morning goodnight gn gm night bye cya later welcome back wb thanks thank thx ty tysm np"
    " please sorry lol lmao rofl haha hahaha hehe heh xd omg wow wtf yes yeah yep yup nope nah ok okay okey k kk sure"
    " right true exactly indeed same agreed nice cool great awesome amazing wonderful fantastic lovely sweet perfect"
    " good fine congrats congratulations gratz gz grats gg wp ez oh ah aww hmm huh oops well btw imo idk sounds looks"
    " seems care luck enjoy guys everyone everybody all man dude bro mate friend day evening afternoon see ya soon"
    " know think guess mean got it let keep way thing things stuff lot really very much many too always never maybe"
    " there that this kind word words hear glad happy totally definitely absolutely course hallo moin servus tschüss"
    " tschau nacht guten gute tag abend danke dank bitte gern gerne entschuldigung sorry ja nein nö genau stimmt eben"
    " klar super toll schön geil krass nice gut glückwunsch herzlichen achso aha oh naja mal leute alle geht läuft"
    " gehts morgen bis bald"
    " später schlaf viel spaß erfolg wirklich echt ganz salut bonjour bonsoir coucou bonne nuit merci beaucoup pardon"
    " désolé oui non ouais voilà exactement super génial cool bravo félicitations mdr ptdr ah oh bah bien sûr accord"
    " tout monde courage bientôt plus tard hola buenas buenos días noches tardes adiós chao gracias muchas perdón sí"
    " vale claro exacto genial guay bien felicidades enhorabuena jaja jajaja jeje xd suerte hasta luego pronto todos"
    " chicos привет здравствуйте здарова доброе утро добрый день вечер спокойной ночи пока спасибо пожалуйста извини"
    " извините да нет ага угу ок окей точно ясно понятно класс круто супер здорово хорошо отлично молодец поздравляю"
    " лол ахах хаха хех ой ну ладно удачи всем ребята увидимся"
)
"""Greetings, thanks, cheers and laughter: a sentence of nothing else says nothing about anybody's day."""
_ASKING = re.compile(r"[?？؟][^\w?？؟]*+$")
_NAMED = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+|\d")
_ENGLISH_I = re.compile(r"\bI(?:['’](?:m|d|ll|ve))?\b")
_OF_ONESELF = frozenset().union(*FIRST_PERSON.values()) | word_set(
    "we us our ours wir uns unser unsere nous notre nos nosotros nuestro nuestra мы нас нам наш наша наши"
)
_POINTING_BACK = word_set(
    "it its it's that that's this they he she those these so then but and because or es das dies dieser sie er und aber"
    " weil ca c'est cela ceci il elle ils elles et mais eso esto esos el ella ellos y pero porque это он она они и но"
)
"""A sentence that begins with these is hardly understood without the one before it."""
_FIRST_WORD = re.compile(r"[\w']+")
_ENOUGH_WORDS = 6
"""Rare words beyond these add nothing: a long list is not more telling than a short statement."""
_GOOD_LENGTH = 90
"""Characters at which a sentence is long enough to be understood alone."""
_FIRST_LETTERS = 20
_MANY = 4
"""Replies and reactions from which on more say nothing new."""


class DayOfWords:
    """Counts the messages of a day by their words, so that rare ones can be told from common ones."""

    def __init__(self, said: Iterable[Candidate]) -> None:
        by_message: dict[int, set[str]] = {}
        for candidate in said:
            by_message.setdefault(candidate.message_id, set()).update(candidate.stems)
        self._messages = len(by_message)
        self._with_stem = Counter(stem for stems in by_message.values() for stem in stems)
        self._rarest = math.log(self._messages + 1) or 1.0

    def rarity(self, stem: str) -> float:
        """Work out how rare a stem is: between 0, in every message, and 1, in one alone."""
        return math.log((self._messages + 1) / max(self._with_stem[stem], 1)) / self._rarest

    def worth(self, candidate: Candidate, reactions: int = 0) -> float:
        """Weigh how much a sentence tells about its author's day: what speaks for it and against it, each between 0 and
        1, added up. `reactions`: how many replies and reactions its message got."""
        text, words = candidate.text, candidate.words
        signs, first = signs_of(text, (Want.TIME, Want.PLACE)), _FIRST_WORD.search(fold(text[:_FIRST_LETTERS]))
        rarest = sorted(map(self.rarity, candidate.stems), reverse=True)[:_ENOUGH_WORDS]
        weighed = (
            (2.0, sum(rarest) / _ENOUGH_WORDS),
            (0.6, not words.isdisjoint(_OF_ONESELF) or _ENGLISH_I.search(text) is not None),
            (0.4, _NAMED.search(text) is not None),
            (0.8, Want.TIME in signs.tells),
            (0.3, Want.PLACE in signs.tells),
            (-1.5, _ASKING.search(text) is not None),
            (-1.5, len(words & CHATTER) / len(words)),
            (1.0, min(len(text) / _GOOD_LENGTH, 1.0)),
            (0.5, min(reactions / _MANY, 1.0)),
            (-0.5, first is not None and first.group() in _POINTING_BACK),
            (-0.2, min(candidate.place / 4, 1.0)),  # it stands far behind the beginning of its message
        )
        return sum(weight * part for weight, part in weighed)


# Which sentences are taken when there is room for some: the most telling, each of them saying something new.


SAMENESS = 0.6
"""Two texts that share as much of their words say the same."""


def alike(one: Set[str], other: Set[str]) -> float:
    """Work out which share of the shorter one's words both have."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


AIM = 300
"""Characters of what is quoted of one member."""
LEAST = 0.7
"""What a sentence must be worth to be quoted, however much room there is: about a quarter of chat is not."""
MOST_HAPPENINGS = 5
MOST_OF_ONE_MEMBER = 2


@dataclass(frozen=True, slots=True)
class Quote:
    """Holds a sentence as somebody wrote it. People in it stand as `<@id>`."""

    author_id: int
    text: str
    source: Source
    said_at: datetime


class Diary(SentenceKey):
    """Words what is told of days."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    message: Message
    candidate: Candidate
    total: float
    stems: frozenset[str]

    @property
    def quote(self) -> Quote:
        source = Source(self.message.channel_id, self.message.message_id)
        return Quote(self.message.author_id, self.candidate.text, source, self.message.sent_at)


def quotes_of_members(day: Sequence[Message], aim: int = AIM) -> dict[int, tuple[Quote, ...]]:
    """Quote each member in the order in which it was said. Who said nothing that tells something is not in it."""
    of_member: dict[int, list[_Weighed]] = {}
    for one in _weighed(day):
        of_member.setdefault(one.message.author_id, []).append(one)
    found = {author_id: _chosen(said, aim) for author_id, said in of_member.items()}
    return {author_id: tuple(one.quote for one in _in_time(kept)) for author_id, kept in found.items() if kept}


def happenings(days: Iterable[Sequence[Message]], most: int = MOST_HAPPENINGS) -> tuple[Quote, ...]:
    """Quote what days come down to for everybody, in the order in which it was said: not all of one member.

    Of several days each has its turn before any has a second one, those with the most telling sentence first.
    """
    kept = [_happenings(day, most) for day in days]
    turns = ([of_day[turn] for of_day in kept if turn < len(of_day)] for turn in range(most))
    ordered = [one for turn in turns for one in sorted(turn, key=lambda one: -one.total)]
    return tuple(one.quote for one in _in_time(ordered[:most]))


def _happenings(day: Sequence[Message], most: int) -> list[_Weighed]:
    """Find the most telling sentences of a day, the most telling first."""

    def leaves_room_for_others(one: _Weighed, taken: Sequence[_Weighed]) -> bool:
        author_id = one.message.author_id
        of_member = sum(other.message.author_id == author_id for other in taken)
        is_new = all(other.message.message_id != one.message.message_id for other in taken)
        return is_new and of_member < MOST_OF_ONE_MEMBER

    said = [one for one in _weighed(day) if len(one.candidate.text) <= LONGEST]
    return _best(said, most, size=lambda _: 1, may_follow=leaves_room_for_others)


def telling_of_messages(day: Sequence[Message]) -> dict[int, float]:
    """Say of each message what its best sentence is worth; those that say nothing are not in it."""
    best: dict[int, float] = {}
    for one in _weighed(day):
        best[one.message.message_id] = max(one.total, best.get(one.message.message_id, one.total))
    return best


def _chosen(said: Sequence[_Weighed], aim: int) -> list[_Weighed]:
    ordinary = [one for one in said if len(one.candidate.text) <= LONGEST]
    kept = _best(ordinary, aim, size=lambda one: len(one.candidate.text))
    # One long sentence whole is better than nothing, and better than a part of it.
    long = [one for one in said if len(one.candidate.text) > LONGEST and one.total > LEAST]
    return kept or sorted(long, key=lambda one: -one.total)[:1]


def _best(
    said: Sequence[_Weighed],
    room: int,
    *,
    size: Callable[[_Weighed], int],
    may_follow: Callable[[_Weighed, Sequence[_Weighed]], bool] = lambda _one, _taken: True,
) -> list[_Weighed]:
    """Choose the best first; at equal totals, the earlier one. `may_follow` can refuse one for those taken already."""
    taken: list[_Weighed] = []
    for one in sorted(said, key=lambda one: -one.total):
        says_more = one.total > LEAST and all(alike(one.stems, other.stems) < SAMENESS for other in taken)
        if says_more and size(one) <= room and may_follow(one, taken):
            taken.append(one)
            room -= size(one)
    return taken


def _weighed(day: Sequence[Message]) -> list[_Weighed]:
    messages = sorted(day, key=lambda message: message.message_id)
    found = [(message, list(candidates(message))) for message in messages]
    words = DayOfWords(one for _, said in found for one in said)
    answers = Counter(_answered(messages))
    weighed: list[_Weighed] = []
    for message, said in found:
        heard = answers[message.message_id] + attention(message)
        for one in said:
            worth = words.worth(one, heard)
            weighed.append(_Weighed(message, one, worth, frozenset(one.stems)))
    return weighed


def _answered(messages: Sequence[Message]) -> list[int]:
    """List the messages that somebody else replied to, once for each who did."""
    author_of = {message.message_id: message.author_id for message in messages}
    replies: set[tuple[int, int]] = set()
    for message in messages:
        if message.reply_to is not None and message.author_kind is AuthorKind.PERSON:
            replies.add((message.reply_to, message.author_id))
    return [replied_to for replied_to, author_id in replies if author_of.get(replied_to, author_id) != author_id]


def _in_time(kept: Sequence[_Weighed]) -> list[_Weighed]:
    return sorted(kept, key=lambda one: (one.message.sent_at, one.message.message_id, one.candidate.place))
