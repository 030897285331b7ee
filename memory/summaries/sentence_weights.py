"""Weighs how much a sentence tells about its author's day: what speaks for it, added up with one set of weights.

Each part is a number between 0 and about 1. Where the weights come from: docs/decisions/summaries.md.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from operator import attrgetter

from memory.core.values import AuthorKind, Message, text_of
from memory.language.detect import ALL_STOP_WORDS, word_set
from memory.language.own_words import FIRST_PERSON
from memory.language.question_words import Want, signs_of
from memory.language.sensitive import is_sensitive
from memory.language.sentences import sentences_of
from memory.language.stems import stem, words_of
from memory.language.text import FILLER, fold, hide_borrowed

# Words that show what a sentence does: tell of something that happened, of a plan, a decision, a feeling; or nothing.
#
# In the five languages, folded. Forms are listed rather than guessed, and only those that mean this mostly.


HAPPENED = word_set(
    "got bought sold finished started passed won lost moved met joined quit launched released booked broke fixed"
    " built made found visited went came saw tried learned learnt graduated married born adopted cooked baked played"
    " watched read wrote received ordered arrived left returned celebrated hosted signed submitted published"
    " performed attended hiked traveled travelled flew drove caught beat killed reached unlocked crashed deleted"
    " installed painted planted happened turned became began opened closed closing opening hired fired promoted"
    " accepted rejected injured stolen gekauft verkauft fertig angefangen bestanden gewonnen verloren umgezogen"
    " getroffen kündigt gekündigt gebucht kaputt repariert gebaut gemacht gefunden besucht gegangen gesehen probiert"
    " gelernt geheiratet geboren gekocht gebacken gespielt geschaut gelesen geschrieben bekommen bestellt angekommen"
    " gefeiert abgegeben veröffentlicht gewandert gefahren geflogen geschafft passiert geworden eröffnet eingestellt"
    " befördert angenommen abgelehnt geklaut acheté vendu fini terminé commencé réussi gagné perdu déménagé rencontré"
    " rejoint quitté réservé cassé réparé construit trouvé visité allé allée vu essayé appris épousé né née cuisiné"
    " joué regardé lu écrit reçu commandé arrivé arrivée fêté rendu publié voyagé devenu ouvert embauché accepté"
    " refusé volé compré vendí terminé acabé empecé aprobé gané perdí mudé conocí dejé reservé rompió arreglé"
    " construí encontré visité fui fuimos vi probé aprendí casé nació cociné jugué jugamos leí escribí recibí pedí"
    " llegó llegué celebramos entregué publiqué viajé pasó abrió contrataron aceptaron rechazaron robaron comprado"
    " ganado perdido terminado купил купила продал закончил закончила начал начала сдал сдала выиграл выиграли"
    " проиграл переехал переехала встретил встретила уволился уволилась забронировал сломался починил построил сделал"
    " сделала нашел нашла посетил ходил ходила увидел попробовал научился женился родился родилась приготовил играл"
    " играли смотрел прочитал написал получил получила заказал приехал приехала отпраздновали опубликовал случилось"
    " стал стала открыл взяли приняли украли"
)
PLANNED = word_set(
    "will gonna going plan plans planning planned tomorrow tonight weekend soon hope hoping want wanna intend"
    " scheduled deadline appointment meeting interview exam release trip flight concert tournament raid werde werden"
    " plane planen geplant morgen übermorgen heute abend wochenende bald hoffe will möchte termin treffen prüfung"
    " reise flug konzert turnier vorstellungsgespräch vais allons prévois prévu demain soir bientôt espère veux"
    " voudrais rendez-vous réunion entretien examen voyage vol tournoi concert voy vamos planeo plan planeado mañana"
    " noche finde pronto espero quiero cita reunión entrevista examen viaje vuelo torneo concierto буду будем"
    " планирую планируем завтра послезавтра вечером выходные скоро надеюсь хочу встреча собеседование экзамен поездка"
    " рейс турнир концерт собираюсь собираемся"
) - word_set("will plan vol")
DECIDED = word_set(
    "decided decide decision agreed agree chose choose settled picked cancelled canceled postponed rescheduled"
    " switched resolved committed entschieden beschlossen entscheidung einigen geeinigt gewählt abgesagt verschoben"
    " wechsle décidé décision convenu choisi annulé reporté changé decidí decidimos decidido decisión acordamos elegí"
    " elegimos cancelado cancelamos aplazado cambié решил решила решили решение договорились выбрал выбрали отменили"
    " отменил перенесли перенес"
)
FELT = word_set(
    "happy sad excited tired stressed proud worried glad annoyed nervous afraid scared relieved frustrated bored"
    " angry love loved hate hated enjoy enjoyed miss missed disappointed lonely thrilled exhausted grateful upset"
    " amazed favorite favourite glücklich traurig aufgeregt müde gestresst stolz froh genervt nervös angst"
    " erleichtert frustriert gelangweilt wütend liebe hasse vermisse enttäuscht erschöpft dankbar freue gefreut"
    " lieblings heureux heureuse triste excité fatigué fatiguée stressé fier fière inquiet inquiète content contente"
    " énervé peur soulagé adore aime déteste déçu déçue épuisé feliz triste emocionado emocionada cansado cansada"
    " estresado orgulloso orgullosa preocupado preocupada contento contenta nervioso miedo aliviado encanta odio"
    " decepcionado agotado echo рад рада счастлив счастлива грустно устал устала волнуюсь горжусь боюсь злюсь люблю"
    " обожаю ненавижу скучаю разочарован разочарована расстроен расстроена доволен довольна надоело"
)

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

    author_id: int
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
    found = read(text, message.author_id, message.message_id)
    # What was cut off at the end of a pasted file is no sentence.
    yield from found[: -1 if len(message.text) > _MOST_LOOKED_AT else None]


def read(text: str, author_id: int, message_id: int) -> list[Candidate]:
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
            found.append(Candidate(author_id, message_id, quote, stems, frozenset(words), place))
    return found


_ASKING = re.compile(r"[?？؟][^\w?？؟]*+$")
_NAMED = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+")
_NUMBER = re.compile(r"\d")
_ENGLISH_I = re.compile(r"\bI(?:['’](?:m|d|ll|ve))?\b")
_OF_ONESELF = frozenset().union(*FIRST_PERSON.values()) | word_set(
    "we us our ours wir uns unser unsere nous notre nos nosotros nuestro nuestra мы нас нам наш наша наши"
)
_OF_OTHERS = word_set(
    "you your yours u ur du dich dir dein deine ihr euch tu te toi ton ta vous votre vos tú ti tu tus usted ustedes"
    " ты тебя тебе твой твоя вы вас вам ваш"
)
# A sentence that begins with these is hardly understood without the one before it.
_POINTING_BACK = word_set(
    "it its it's that that's this they he she those these so then but and because or es das dies dieser sie er und aber"
    " weil ca c'est cela ceci il elle ils elles et mais eso esto esos el ella ellos y pero porque это он она они и но"
)
_FIRST_WORD = re.compile(r"[\w']+")
_ENOUGH_WORDS = 6
"""Rare words beyond these add nothing: a long list is not more telling than a short statement."""
_GOOD_LENGTH = 90
"""Characters at which a sentence is long enough to be understood alone."""
_FIRST_LETTERS = 20
_MANY = 4
"""Replies and reactions from which on more say nothing new."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Holds what speaks for a sentence, and what against it."""

    rare: float = 0.0
    """How rare its words are on this day of the guild."""
    topic: float = 0.0
    """How much its author spoke of the same in other messages of the day."""
    of_oneself: float = 0.0
    of_others: float = 0.0
    """It speaks to somebody: "you"."""
    happened: float = 0.0
    planned: float = 0.0
    decided: float = 0.0
    felt: float = 0.0
    named: float = 0.0
    """It names something or somebody, or a number."""
    in_time: float = 0.0
    in_place: float = 0.0
    asks: float = 0.0
    chatter: float = 0.0
    """Which share of its words any conversation has."""
    long: float = 0.0
    answered: float = 0.0
    """Others replied, or reacted."""
    points_back: float = 0.0
    """It begins with "it" or "that", and says by itself not of what."""
    late: float = 0.0
    """How far behind the beginning of its message it stands."""


@dataclass(frozen=True, slots=True)
class Weights(Parts):
    def total(self, parts: Parts) -> float:
        return sum(weight * part for weight, part in zip(_values(self), _values(parts), strict=True))


_values: Callable[[Parts], tuple[float, ...]] = attrgetter(*(part.name for part in fields(Parts)))


WEIGHTS = Weights(
    rare=2.0,
    topic=0.3,
    of_oneself=0.6,
    of_others=-0.6,
    happened=0.6,
    planned=0.3,
    decided=0.6,
    felt=0.2,
    named=0.4,
    in_time=0.8,
    in_place=0.3,
    asks=-1.5,
    chatter=-1.5,
    long=1.0,
    answered=0.5,
    points_back=-0.5,
    late=-0.2,
)


class DayOfWords:
    """Counts who said which words on a day, so that rare ones can be told from common ones."""

    def __init__(self, said: Iterable[Candidate]) -> None:
        by_message: dict[int, set[str]] = {}
        author_of: dict[int, int] = {}
        for candidate in said:
            by_message.setdefault(candidate.message_id, set()).update(candidate.stems)
            author_of[candidate.message_id] = candidate.author_id
        self._messages = len(by_message)
        self._with_stem = Counter(stem for stems in by_message.values() for stem in stems)
        self._of_author = Counter((author_of[one], stem) for one, stems in by_message.items() for stem in stems)
        self._rarest = math.log(self._messages + 1) or 1.0

    def rarity(self, stem: str) -> float:
        """Work out how rare a stem is: between 0, in every message, and 1, in one alone."""
        return math.log((self._messages + 1) / max(self._with_stem[stem], 1)) / self._rarest

    def is_topic_of(self, author_id: int, stem: str) -> bool:
        return self._of_author[author_id, stem] > 1


def parts_of(candidate: Candidate, day: DayOfWords, reactions: int = 0) -> Parts:
    """Find what speaks for a sentence. `reactions`: how many replies and reactions its message got."""
    text, words, stems = candidate.text, candidate.words, candidate.stems
    signs = signs_of(text, (Want.TIME, Want.PLACE))
    rarest = sorted((day.rarity(stem) for stem in stems), reverse=True)[:_ENOUGH_WORDS]
    topical = sum(day.rarity(stem) for stem in stems if day.is_topic_of(candidate.author_id, stem))
    is_of_oneself = not words.isdisjoint(_OF_ONESELF) or _ENGLISH_I.search(text) is not None
    return Parts(
        rare=sum(rarest) / _ENOUGH_WORDS,
        topic=min(topical / 2, 1.0),
        of_oneself=float(is_of_oneself),
        of_others=float(not words.isdisjoint(_OF_OTHERS)),
        happened=float(not words.isdisjoint(HAPPENED)),
        planned=float(not words.isdisjoint(PLANNED)),
        decided=float(not words.isdisjoint(DECIDED)),
        felt=float(not words.isdisjoint(FELT)),
        named=float(_NAMED.search(text) is not None or _NUMBER.search(text) is not None),
        in_time=float(Want.TIME in signs.tells),
        in_place=float(Want.PLACE in signs.tells),
        asks=float(_ASKING.search(text) is not None),
        chatter=len(words & CHATTER) / len(words),
        long=min(len(text) / _GOOD_LENGTH, 1.0),
        answered=min(reactions / _MANY, 1.0),
        points_back=float(_points_back(text)),
        late=min(candidate.place / 4, 1.0),
    )


def _points_back(text: str) -> bool:
    first = _FIRST_WORD.search(fold(text[:_FIRST_LETTERS]))
    return first is not None and first.group() in _POINTING_BACK
