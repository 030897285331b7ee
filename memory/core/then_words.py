"""The words by which people ask what was known when, in the five languages; `…` stands for a few words between."""

import re

from memory.language.detect import word_set
from memory.language.text import fold

_BETWEEN = r"(?:\W+[^\W_]+){0,7}?\W+"


def _phrases(listed: str) -> re.Pattern[str]:
    """Any of the phrases, which stand between commas, as whole words."""
    ways = ([_spelt(part) for part in phrase.strip().split(" … ")] for phrase in listed.split(","))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(_BETWEEN.join(way) for way in ways)})(?![^\W_])")


def _spelt(part: str) -> str:
    return re.escape(fold(part)).replace(r"\ ", r"\s+")


KNEW = _phrases(
    "did we know, did you know, did i know, did they know, did people know, did everyone know, did we believe,"
    " did you believe, did i believe, did they believe, did people believe, did everyone believe, had we known,"
    " had you known, we knew, you knew, we believed, you believed, was known, was believed, were known,"
    " wussten wir, wusstest du, wusste ich, wusste man, wir wussten, du wusstest, wusstet ihr, glaubten wir,"
    " glaubtest du, glaubte man, haben wir … gewusst, hast du … gewusst, hat man … gewusst, haben wir … geglaubt,"
    " hast du … geglaubt, hat man … geglaubt, war … bekannt, du … wusstest, wir … wussten,"
    " savions-nous, savais-tu, savait-on, saviez-vous, nous savions, tu savais, on savait, qu'on savait,"
    " croyions-nous, croyais-tu, croyait-on, nous croyions, tu croyais, on croyait, qu'on croyait, était connu,"
    " sabíamos, sabías, se sabía, sabíais, creíamos, creías, se creía, habías sabido, era conocido,"
    " мы знали, ты знал, ты знала, вы знали, знали мы, знал ты, все знали, было известно, мы верили, ты верил"
)
"""What we took for true. In languages where the verb alone does not tell whose, only where it was ours."""
THOUGHT = _phrases(
    "did we think, did you think, did people think, did everyone think, did we assume, did you remember,"
    " did we remember, we thought, you thought, was thought,"
    " dachten wir, dachtest du, dachte man, haben wir … gedacht, hast du … gedacht, hast du dir … gemerkt,"
    " pensions-nous, pensais-tu, pensait-on, nous pensions, tu pensais, on pensait,"
    " pensábamos, pensabas, se pensaba, recordabas,"
    " мы думали, ты думал, ты думала, мы считали, ты считал, считалось, ты помнил, ты помнила"
)
"""The same of a person; of anything else these words ask for opinions, which are in messages."""
SINCE_WHEN = _phrases(
    "since when, how long has, how long have, how long is it that,"
    " seit wann, wie lange … schon, wie lange schon, wie lange wohnt, wie lange lebt, wie lange arbeitet,"
    " wie lange weißt du, wie lange weisst du,"
    " depuis quand, depuis combien de temps, ça fait combien de temps, ça fait longtemps que,"
    " desde cuándo, cuánto tiempo lleva, cuánto tiempo llevas, cuánto tiempo llevan, cuánto tiempo hace que,"
    " cuánto hace que, hace cuánto que, hace cuánto tiempo que,"
    " с каких пор, с какого времени, как давно, давно ли, как долго уже, сколько времени уже, сколько уже"
)
FORMERLY = _phrases(
    "used to, use to, formerly, previously, earlier, in the past, before?, before that, early on,"
    " früher, vorher, davor, zuvor, einst,"
    " autrefois, auparavant, avant ?, avant?, avant cela, avant ça,"
    " antes?, anteriormente, antes de eso, en el pasado,"
    " раньше, прежде, до этого, когда-то"
)
"""Some time before now, which is not said."""
NOT_WHAT = _phrases(
    "how did, why did, when did, who did, how had, wie, warum, wieso, weshalb, wann, wer, wen, wem, comment,"
    " pourquoi, quand, qui, cómo, por qué, cuándo, quién, как, почему, зачем, когда, кто"
)
"""Opening a question for what we knew, these ask for something else."""

THINGS = {
    "home": word_set(
        "live lives lived living reside resides resided home address wohnen wohne wohnt wohnte wohnten gewohnt lebe"
        " lebt lebte gelebt zuhause habite habitait habitais habité habiter vit vis vivait vivais vécu vive vivo vivía"
        " vivió viví vivir vivido живу живет живут жил жила жили проживаю проживает проживал проживала"
    ),
    "work": word_set(
        "work works worked working job jobs occupation arbeite arbeitet arbeitete gearbeitet beruf travaille"
        " travaillait travaillais travaillé métier emploi trabaja trabajaba trabajó trabajé trabajado trabajo работаю"
        " работает работал работала работали работа"
    ),
    "name": word_set(
        "called named name heiße heißt hieß geheißen heissen nom appelle appelait appelais appelé llama llamo llamaba"
        " llamado nombre зовут звали имя"
    ),
    "age": word_set("old age alt alter âge edad лет"),
    "favourite": word_set("favourite favorite lieblings préféré préférée favorito favorita preferido любимый любимая"),
}
"""What is true of a person once at a time, by the words in which it is asked for."""

WHETHER = _phrases(
    "did, was, were, had, has, is it true that, hat, hatte, war, wohnte, lebte, arbeitete, hieß,"
    " est-ce que, est-ce qu, habitait, vivait, travaillait, vivía, vivió, trabajaba, trabajó, ha vivido, se llamaba,"
    " жил, жила, работал, работала, проживал, проживала"
)
"""Opening a question, these ask whether it was so."""
MORE_THAN_A_THING = re.compile(r"(?<![^\W_])work(?:s|ed|ing)?\s+(?:on|out|with|through|from)(?![^\W_])")
BESIDE_A_THING = word_set(
    "city town country place street company firm profession stadt land ort straße firma ville pays endroit rue"
    " ciudad país lugar calle empresa город городе страна стране месте"
)
"""Words that may stand beside these without asking for more."""

BEFORE = word_set("before until till prior vor bis avant jusqu jusque antes hasta до перед")
AFTER = word_set("after following nach après después tras после")
BESIDE_A_DATE = word_set("the to dem den der le la l de del el en a au à zum")
"""May stand between those and a date."""
KNOWER = word_set("i ich je j yo я")
""" "What did I know": who knew, not who it was about."""
THE_GUILD = word_set("server guild discord serveur servidor сервер сервере сервером")
ASKING = word_set(
    "know knew known believe believed think thought assume remember anything everything something everyone"
    " everybody anyone fact facts long since back happen person people use used last letzten letztem letzter dernier"
    " pasado прошлого прошлом"
    " wussten wusstest wusste gewusst wisst weißt weisst wissen glaubten glaubtest glaubte geglaubt dachten dachtest"
    " dachte gedacht bekannt gemerkt lange schon alles hast hat haben"
    " savions savais savait saviez sais croyions croyais croyait pensions pensais pensait connu combien temps"
    " longtemps depuis"
    " sabíamos sabías sabía sabíais sabes creíamos creías creía pensábamos pensabas pensaba conocido tiempo lleva"
    " llevas llevan hace cuanto desde"
    " знали знал знала знаешь верили верил известно думали думал думала считали считал считалось помнил помнила"
    " давно долго пор каких времени какого сколько"
)
"""Words of the question itself, which no fact says."""
