"""English: "I" with its verb, "my", "me", "mine" and "myself"."""

from memory.language.detect import word_set
from memory.language.third_person.sentence import Sentence

# English verbs as far as telling the present from the past and making a third person need them.


# Said the same way of every person.
UNCHANGING = word_set(
    "can could will would shall should may might must can't couldn't won't wouldn't shan't shouldn't mightn't mustn't"
    " cannot cant wont couldnt wouldnt shouldnt did didn't didnt had hadn't hadnt ought used"
)
IRREGULAR = {
    "am": "is",
    "was": "was",
    "wasn't": "wasn't",
    "wasnt": "wasn't",
    "have": "has",
    "haven't": "hasn't",
    "havent": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "go": "goes",
    "undergo": "undergoes",
    "ain't": "isn't",
}
# Present and past look alike, so neither can be chosen.
AMBIGUOUS = word_set(
    "put cut hit read set let cost hurt quit shut spread bet beat cast split burst bid shed rid upset wed embed"
)

PAST = word_set(
    "ate awoke became began bent bit blew bought bred broke brought built burnt came caught chose clung crept"
    " dealt dug drank drew drove dreamt fed fell felt fled flew forbade forgave forgot fought found froze gave got"
    " grew heard held hid hung kept knelt knew laid lay learnt leapt led left lent lit lost made meant met"
    " misunderstood paid ran rang rode rose said sang sank sat saw sent shone shook shot showed slept slid smelt"
    " sold sought spat spelt spent spoke spun stole stood stuck stung swam swore swung taught thought threw told"
    " took tore understood went wept withdrew woke won wore wove wrote overcame overslept outgrew"
)
# Those that people say of themselves: docs/decisions/without-a-model.md. With others a sentence is kept as it was said.
BASE = word_set(
    "achieve add admire admit adopt adore agree aim answer apologize apply appreciate arrange arrive ask assume"
    " attend bake become beg begin believe belong bike book borrow box break bring build buy call camp care carry"
    " celebrate change check choose clean click climb code collect come commute connect continue control cook copy"
    " count crash crave create cycle dance date decide delete design develop dig disagree discover dislike donate"
    " doubt draw dream drink drive drop earn eat edit encourage end enjoy enter exercise expect experience explore"
    " fail fear feed feel fight find finish fish fix fly follow forget garden gather get give go grab graduate grow"
    " guess happen hate have hear help hide hike hold hope host imagine improve include install invite jog join jump"
    " keep kill knit know last laugh launch lead lean learn leave lie lift like listen live lock look love make manage"
    " marry mean meditate meet mention mess miss move multiply name need notice offer open order organize owe own"
    " paint pay perform pick plan plant play point post practice practise pray prefer press print program promise pull"
    " purchase push reach realise realize recommend record refuse regret rely remember remove rent repair repeat"
    " replace request require ride roll run sail save say search see seem sell send serve share shop show sign sing"
    " sit skate sketch ski sleep smoke speak spend stand start stay stick stop store stream struggle study suck"
    " suggest support suppose surf suspect swear swim switch take talk teach tell tend test think train translate"
    " travel treat trust try type understand upgrade use visit volunteer vote wait wake walk want watch wear win wish"
    " wonder work worry write"
)
ADVERBS = word_set(
    "also never always just often still only sometimes seldom even ever already once now then kinda sorta quite"
    " almost both too not"
)


def third_person(verb: str) -> str | None:
    """What follows "she" where this follows "I"; None where that is not certain."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in UNCHANGING or verb in PAST:
        return verb
    if verb in AMBIGUOUS:
        return None
    if verb in BASE:
        return with_s(verb)
    # "Lived", "stopped" and "tried" are past; "feed" and "need" are not.
    return verb if verb.endswith("ed") and not verb.endswith("eed") else None


def with_s(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


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
