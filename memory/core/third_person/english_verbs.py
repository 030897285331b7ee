"""English verbs as far as telling the present from the past and making a third person need them."""

from memory.core.language import word_set

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
