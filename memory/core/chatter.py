"""What is said to us only to be kind: thanks, a greeting, a farewell, praise. It wants a nod, and no answer.

Small and careful: a sentence counts only if there is nothing else in it. Whoever says more says something.
"""

from dataclasses import dataclass
from enum import StrEnum

from memory.core.language import Language, word_set
from memory.core.text import plain_words

MOST_WORDS = 8


class Kindness(StrEnum):
    THANKS = "thanks"
    GREETING = "greeting"
    FAREWELL = "farewell"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class _Kindnesses:
    """The words of one language, folded. Those beside them say nothing alone."""

    thanks: frozenset[str]
    greeting: frozenset[str]
    farewell: frozenset[str]
    other: frozenset[str]
    beside: frozenset[str]

    def of(self, words: list[str]) -> Kindness | None:
        """The first kind that any of the words is of."""
        kinds = {
            Kindness.THANKS: self.thanks,
            Kindness.FAREWELL: self.farewell,
            Kindness.GREETING: self.greeting,
            Kindness.OTHER: self.other,
        }
        return next((kind for kind, spoken in kinds.items() if not spoken.isdisjoint(words)), None)

    def cover(self, words: list[str]) -> bool:
        return self.thanks | self.greeting | self.farewell | self.other | self.beside >= {*words}


_WORDS = {
    Language.EN: _Kindnesses(
        thanks=word_set("thanks thank thx ty tysm tyvm cheers thankyou"),
        greeting=word_set("hello hi hey hiya howdy greetings morning yo"),
        farewell=word_set("bye goodbye cya goodnight night farewell"),
        other=word_set("haha hahaha lol lmao nice cool great awesome perfect brilliant wow bravo good love yay legend"),
        beside=word_set(
            "you u so very much a lot many for that this it the help again all bot innkeeper there my dear friend"
            " everyone and one job work answer well done evening afternoon day s really just too old"
        ),
    ),
    Language.DE: _Kindnesses(
        thanks=word_set("danke dankeschön dank merci dankesehr"),
        greeting=word_set("hallo hi hey moin servus guten gruß grüß morgen abend"),
        farewell=word_set("tschüss tschüs tschau ciao nacht wiedersehen bis"),
        other=word_set("haha hahaha lol super toll klasse cool prima genial nice perfekt brav guter gut gute stark"),
        beside=word_set(
            "dir sehr vielen schön schon für die das der deine hilfe ganz herzlich herzlichen dich auch tag alle"
            " zusammen lieber liebes bot wirt du bist auf bald später morgen gemacht antwort und nochmal nochmals"
        ),
    ),
    Language.FR: _Kindnesses(
        thanks=word_set("merci remercie mercii"),
        greeting=word_set("bonjour salut bonsoir coucou hello"),
        farewell=word_set("revoir ciao bye adieu bientôt nuit"),
        other=word_set("haha hahaha lol mdr super génial parfait bravo cool excellent bien top chouette"),
        beside=word_set(
            "beaucoup bien à toi a vous pour ton votre aide ta réponse la le ça mille fois encore tout monde tous je te"
            " bonne au cher bot joué et"
        ),
    ),
    Language.ES: _Kindnesses(
        thanks=word_set("gracias agradezco"),
        greeting=word_set("hola buenas buenos saludos"),
        farewell=word_set("adiós chao chau luego pronto noches"),
        other=word_set("jaja jajaja lol genial perfecto bravo guay excelente bueno buen estupendo"),
        beside=word_set(
            "muchas muchísimas mil por la tu su ayuda todo respuesta a ti todos te lo hasta días tardes muy bot trabajo"
            " querido amigo y de nuevo"
        ),
    ),
    Language.RU: _Kindnesses(
        thanks=word_set("спасибо благодарю пасиб спс спасибки"),
        greeting=word_set("привет здравствуй здравствуйте добрый доброе приветствую хай"),
        farewell=word_set("пока прощай свидания встречи ночи"),
        other=word_set("ахаха хаха хахаха лол супер круто класс отлично браво молодец здорово хороший"),
        beside=word_set("большое огромное тебе вам за помощь ответ день вечер утро всем до спокойной доброй бот и ещё"),
    ),
}


def chatter_in(text: str) -> Language | None:
    """The language of a sentence that is nothing but kind; None for any other, and for every question."""
    words = plain_words(text)
    if not 0 < len(words) <= MOST_WORDS or "?" in text:
        return None
    spoken = (language for language, known in _WORDS.items() if known.of(words) is not None and known.cover(words))
    return next(spoken, None)


def kindness_of(text: str, language: Language) -> Kindness:
    """What a sentence that is known to be chatter is for, as far as its words tell."""
    words = plain_words(text)
    kinds = (_WORDS[one].of(words) for one in (language, *Language))
    return next((kind for kind in kinds if kind is not None), Kindness.OTHER)
