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
AMBIGUOUS = word_set("put cut hit read set let cost hurt quit shut spread bet beat cast split burst bid shed rid upset")

PAST = word_set(
    "ate awoke became began bent bit blew bought bred broke brought built burnt came caught chose clung crept"
    " dealt dug drank drew drove dreamt fed fell felt fled flew forbade forgave forgot fought found froze gave got"
    " grew heard held hid hung kept knelt knew laid lay learnt leapt led left lent lit lost made meant met"
    " misunderstood paid ran rang rode rose said sang sank sat saw sent shone shook shot showed slept slid smelt"
    " sold sought spat spelt spent spoke spun stole stood stuck stung swam swore swung taught thought threw told"
    " took tore understood went wept withdrew woke won wore wove wrote overcame overslept outgrew"
)
BASE = word_set(
    "accept achieve act adapt add admire admit adopt adore advise agree aim allow answer apologize appear apply"
    " appreciate argue arrange arrive ask assume attend avoid bake bark base become beg begin believe belong bend"
    " bike bite blame bleed block blog blow boil book borrow bother bounce box brag break breathe breed brew bring"
    " broadcast browse brush build burn buy calculate call camp care carry catch celebrate change charge chase"
    " chat cheat check cheer chew choose clap clean clear click climb close coach code collect come comfort"
    " commute compare compete complain complete compose concentrate confirm connect consider consult contain"
    " contribute continue control cook copy correct cough count cover crack crash crave create criticize crochet"
    " cross cry cuddle cure cycle dance dare date deal debate decide decorate defend delay delete deliver demand"
    " deny depend describe deserve design desire destroy develop die dig dine disagree disappear discover discuss"
    " dislike dive divide divorce donate doubt draft draw dream dress drink drive drop dry dye earn eat edit"
    " embroider emigrate employ encourage end enjoy enter escape establish examine exercise exist expect"
    " experience explain explore express face fail faint fall fancy farm fast fear feed feel fight fill film find"
    " finish fish fit fix float fly focus fold follow forget forgive form freeze frown fry gain game garden gather"
    " get give go grab graduate greet grieve grill grin grow guard guess guide hand handle hang happen harvest"
    " hate have head heal hear help hesitate hide hike hire hold hope host hug hum hunt hurry identify ignore"
    " imagine immigrate improve include increase inherit inspire install intend introduce involve invent invest"
    " invite iron jog join joke juggle jump keep kick kill kiss kneel knit knock know lack land last laugh launch"
    " lay lead lean learn leave lend lie lift like list listen live loathe lock long look lose love maintain make"
    " manage marry match matter mean measure meditate meet melt mention mess mind miss mix moderate motivate move"
    " mow multiply name nap need notice obey offer open operate order organize overcome overthink owe own pack"
    " paint parent park participate pass pay perform phone photograph pick plan plant play please pledge point"
    " possess post pour practice practise praise pray prefer prepare present press pretend prevent print produce"
    " program promise promote pronounce propose protect protest prove provide publish pull punch purchase push"
    " question race raise reach react realize realise receive recognize recommend record recover recycle reduce"
    " refuse regret relax rely remain remember remind remove rent repair repeat replace reply report represent"
    " request require rescue research resemble resign respect rest retire return ride ring rise roast rock roll"
    " row ruin rule run rush sail sauce save say scare scream search see seem seek sell send serve settle sew"
    " shake share shave shine shiver shoot shop shout show shower sign sing sink sit skate sketch ski skip sleep"
    " smell smile smoke sneeze snore snowboard solve sound speak specialize spell spend spill spin sponsor spot"
    " stand stare start starve stay steal step stick stop store stream stretch struggle study stutter succeed suck"
    " suffer suggest suit supply support suppose surf survive suspect swear sweat swim switch take talk taste"
    " teach tell tend test text thank think throw tidy tolerate touch trade train translate travel treat trust try"
    " tune turn tutor tweet twist type understand upgrade use value vape visit volunteer vote wait wake walk"
    " wander want warn wash watch water wear weigh whisper win wish wonder work worry worship wrestle write yell"
    " yodel"
)
ADVERBS = word_set(
    "really also never always just usually often still only actually mostly sometimes rarely seldom even ever already"
    " once recently currently now then absolutely truly totally definitely probably generally normally honestly"
    " secretly strongly kinda sorta quite almost nearly hardly barely simply both too personally mainly typically"
    " apparently obviously basically literally finally originally previously formerly genuinely particularly especially"
    " deeply highly firmly not"
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
    if verb.endswith("ed") and past_of_known(verb):
        return verb
    return None


def with_s(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def past_of_known(word: str) -> bool:
    """Whether a word in -ed is the past of a verb we know ("lived", "stopped", "tried")."""
    stem = word[:-2]
    candidates = {stem, stem + "e", stem[:-1] + "y" if stem.endswith("i") else stem}
    if len(stem) > 2 and stem[-1] == stem[-2]:
        candidates.add(stem[:-1])
    return any(candidate in BASE for candidate in candidates) or word in _OTHER_PAST


_OTHER_PAST = word_set("was born adopted diagnosed promoted hired fired engaged preferred occurred admitted passed")
