"""Russian: "я" with the frequent verbs, the past (which has no person), and sentences that need no verb."""

from memory.core.text import fold
from memory.core.third_person.sentence import Sentence, conjugations

_VERBS = conjugations(
    "люблю:любит живу:живёт работаю:работает хочу:хочет могу:может знаю:знает умею:умеет имею:имеет"
    " играю:играет учусь:учится учу:учит читаю:читает пишу:пишет смотрю:смотрит слушаю:слушает ем:ест пью:пьёт"
    " сплю:спит хожу:ходит езжу:ездит еду:едет иду:идёт говорю:говорит думаю:думает считаю:считает"
    " ненавижу:ненавидит обожаю:обожает предпочитаю:предпочитает собираю:собирает готовлю:готовит"
    " рисую:рисует пою:поёт танцую:танцует бегаю:бегает плаваю:плавает курю:курит боюсь:боится"
    " занимаюсь:занимается интересуюсь:интересуется увлекаюсь:увлекается нуждаюсь:нуждается"
    " встаю:встаёт"
    " ношу:носит вожу:водит держу:держит помню:помнит понимаю:понимает верю:верит надеюсь:надеется"
    " программирую:программирует путешествую:путешествует изучаю:изучает преподаю:преподаёт снимаю:снимает"
    " буду:будет болею:болеет скучаю:скучает нахожусь:находится являюсь:является пользуюсь:пользуется"
    " приеду:приедет приду:придёт поеду:поедет пойду:пойдёт куплю:купит сделаю:сделает"
)
_OBJECT = frozenset(map(fold, ("меня", "мне", "мной", "мною")))
_OWN = conjugations(
    "мой:свой моя:своя моё:своё мои:свои моего:своего моей:своей моих:своих моему:своему моим:своим моими:своими"
    " моём:своём мою:свою"
)
_CLAUSE_MARKS = frozenset(",;:—–-")
_FIRST_PERSON_ENDINGS = ("у", "ю", "усь", "юсь")


def convert(text: str, speaker: str) -> str | None:
    sentence = Sentence(text)
    keys = [word.key for word in sentence.words]
    if "я" not in keys:
        return _without_subject(sentence, keys, speaker)
    if any(piece.text in _CLAUSE_MARKS for piece in sentence.pieces) or keys.count("я") > 1:
        return None
    verbs = [number for number, key in enumerate(keys) if key in _VERBS]
    # An unknown word in -у or -ю may be a verb; behind a known verb it is its object.
    if not verbs and any(key.endswith(_FIRST_PERSON_ENDINGS) for key in keys):
        return None
    for number, key in enumerate(keys):
        if key == "я":
            sentence.exchange(number, speaker)
        elif key in _VERBS:
            sentence.exchange(number, _VERBS[key])
        elif key in _OWN:
            sentence.exchange(number, _OWN[key])
        elif key in _OBJECT:
            return None
    return str(sentence)


def _without_subject(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    """ "У меня есть кошка", "мне нравится чай": a mention is said alike in every case."""
    if any(key in _OWN for key in keys):
        return None
    for number, key in enumerate(keys):
        if key in _OBJECT:
            sentence.exchange(number, speaker)
    return str(sentence)
