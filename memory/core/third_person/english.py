"""English: "I" with its verb, "my", "me", "mine" and "myself"."""

from memory.core.third_person.english_verbs import ADVERBS, BASE, IRREGULAR, UNCHANGING, third_person, with_s
from memory.core.third_person.sentence import Sentence

# "I" grown together with its verb. "I'd" is "had" or "would", which the third person leaves just as open.
_CONTRACTED = {"i'm": "is", "im": "is", "i've": "has", "ive": "has", "i'll": "will", "i'd": "'d"}
_OPENINGS_OF_NO_STATEMENT = frozenset(("to", "if", "when", "what", "who", "where", "why", "how", "whether", "let"))
_INVERTED = frozenset(("am", "do", "have", "was", "did", "can", "will", "should"))
_LINKS = frozenset(("and", "or", "but", "nor"))
# Behind these a verb stays as it is: "I want to eat and drink".
_GOVERNORS = UNCHANGING | {"to", "do", "don't", "dont", "let", "help", "make"}


def convert(text: str, speaker: str) -> str | None:
    sentence = Sentence(text)
    words = sentence.words
    if not words or words[0].key in _OPENINGS_OF_NO_STATEMENT:
        return None
    has_spoken = False
    for number, word in enumerate(words):
        if word.key in _CONTRACTED:
            ending = _CONTRACTED[word.key]
            sentence.exchange(number, f"{speaker}{ending}" if ending.startswith("'") else f"{speaker} {ending}")
            if word.key in {"i'm", "im"} and not _linked_verbs(sentence, number):
                return None
            has_spoken = True
        elif word.key == "i":
            if not _subject(sentence, number, speaker):
                return None
            has_spoken = True
        elif word.key == "my":
            sentence.exchange(number, "their" if has_spoken else f"{speaker}'s")
        elif word.key == "me":
            sentence.exchange(number, speaker)
        elif word.key == "mine":
            sentence.exchange(number, "theirs" if has_spoken else f"{speaker}'s")
        elif word.key == "myself":
            sentence.exchange(number, "themself" if has_spoken else speaker)
    return str(sentence)


def _subject(sentence: Sentence, number: int, speaker: str) -> bool:
    """Put the speaker for "I" and conjugate its verb; False where the verb is not known for certain."""
    words = sentence.words
    before = words[number - 1].key if number else ""
    # "am I", "Bob and I": the verb stands elsewhere or is shared.
    if before in _INVERTED or (before in {"and", "or"} and not _is_new_clause(sentence, number)):
        return False
    verb = number + 1
    while verb < len(words) and sentence.follows_directly(verb) and _is_adverb(words[verb].key):
        verb += 1
    if verb >= len(words) or not sentence.follows_directly(verb):
        return False
    conjugated = third_person(words[verb].key)
    if conjugated is None:
        return False
    sentence.exchange(number, speaker)
    sentence.exchange(verb, conjugated)
    return _governs(sentence, verb) or _linked_verbs(sentence, verb)


def _is_new_clause(sentence: Sentence, number: int) -> bool:
    """Before "and I" there was already an "I" with a verb, or a comma: then the verb that follows is ours alone."""
    earlier = {word.key for word in sentence.words[: number - 1]}
    return bool(earlier & {"i", *_CONTRACTED}) or not sentence.follows_directly(number - 1)


def _is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and word not in BASE)


def _governs(sentence: Sentence, verb: int) -> bool:
    """Whether other verbs depend on this one: "I do like tea", but not "I do yoga"."""
    words = sentence.words
    if words[verb].key == "do":
        return verb + 1 < len(words) and words[verb + 1].key in BASE
    return words[verb].key in _GOVERNORS


def _linked_verbs(sentence: Sentence, verb: int) -> bool:
    """Conjugate "… and play chess" in the same clause; False where it may be a noun as well."""
    words = sentence.words
    if words[verb].key not in BASE and words[verb].key not in IRREGULAR and words[verb].key not in _CONTRACTED:
        return True
    for number in range(verb + 1, len(words) - 1):
        if words[number].key in _GOVERNORS or words[number].key in {"who", "which", "that", "because", "i"}:
            return True
        if words[number].key not in _LINKS:
            continue
        following = number + 1
        while following < len(words) - 1 and _is_adverb(words[following].key):
            following += 1
        key = words[following].key
        if key in {"don't", "dont", "have", "am", "haven't"}:
            sentence.exchange(following, IRREGULAR[key])
        elif key in BASE:
            if sentence.is_last(following):
                return False
            sentence.exchange(following, with_s(key))
    return True
