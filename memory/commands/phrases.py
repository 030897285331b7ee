"""How people tell us to remember, to forget or to say what we know: one table per language, made to be extended.

A phrase is written as people type it, in lower case. `…` marks the place of what is said when it does not simply
follow the phrase ("kannst du dir … merken"). Accents, case, hyphens and apostrophes are optional when it is matched.
"""

from dataclasses import dataclass

from memory.language.detect import Language


@dataclass(frozen=True, slots=True)
class Phrases:
    """What one language says to us."""

    greetings: tuple[str, ...]
    polite: tuple[str, ...]
    """May stand before the verb, right behind it, and at the end."""
    asking: tuple[str, ...]
    """Ways to put a command as a wish; the `asked` phrases below follow them."""
    remember: tuple[str, ...]
    remember_asked: tuple[str, ...]
    forget: tuple[str, ...]
    forget_asked: tuple[str, ...]
    knowledge: tuple[str, ...]
    """Followed by a person, whatever words that takes."""
    who_is: tuple[str, ...]
    """Followed by a person, but just as well by something else ("who is coming tonight")."""
    everywhere: tuple[str, ...]
    """Behind a remembering verb, before the words themselves: they may be repeated anywhere."""
    for_all_to_know: tuple[str, ...]
    """The same as a sentence of its own, behind what is told."""
    conjunctions: tuple[str, ...]
    interrogatives: tuple[str, ...]
    """Behind a remembering verb these ask, they do not tell."""
    chatter: tuple[str, ...]
    """Right behind our name these speak about us, not to us ("bot is broken")."""


ENGLISH = Phrases(
    greetings=("hey", "hi", "hello", "ok", "okay", "yo", "so", "and", "now", "well"),
    polite=("please", "pls", "plz", "kindly", "thanks", "thank you", "for me"),
    asking=(
        "can you", "could you", "would you", "will you", "can u", "could u", "you should", "you must", "you can",
        "i want you to", "i'd like you to", "i would like you to", "i need you to",
    ),
    remember=(
        "remember", "do remember", "always remember", "don't forget", "do not forget", "never forget", "memorize",
        "memorise", "keep in mind", "bear in mind", "keep … in mind", "make a note of", "make a note", "take note of",
        "take note", "note that", "note down", "write down",
    ),
    remember_asked=(
        "remember", "memorize", "memorise", "keep in mind", "keep … in mind", "make a note of", "make a note",
        "take note of", "note that", "note down", "not forget", "write down",
    ),
    forget=("forget about", "forget", "unlearn", "stop remembering", "do forget"),
    forget_asked=("forget about", "forget", "unlearn", "stop remembering"),
    knowledge=(
        "what do you know about", "what do you know of", "what do u know about", "what do you remember about",
        "what have you learned about", "what have you learnt about", "what is known about", "what's known about",
        "what can you tell me about", "do you know anything about", "do you know something about",
        "what did you remember about", "tell me what you know about", "tell me everything you know about",
        "tell me all you know about", "tell me everything about", "say what you know about",
    ),
    who_is=("who is", "who's", "whos", "who are", "who am", "do you know", "do you remember", "tell me about"),
    everywhere=("everywhere", "for everyone", "for everybody", "for all", "server-wide"),
    for_all_to_know=(
        "everyone may know", "everyone may know this", "everyone may know it", "everyone may know that",
        "everyone can know", "everyone can know this", "everyone can know it", "everyone can know that",
        "everybody may know", "everybody may know this", "everybody may know it", "everybody can know this",
        "everybody can know it", "anyone may know", "anyone may know this", "anyone may know it",
        "anyone can know this", "anyone can know it", "this may be known everywhere", "it may be known everywhere",
        "you may tell everyone", "you can tell everyone", "you may tell anyone", "you can tell anyone",
    ),
    conjunctions=("that",),
    interrogatives=("what", "when", "where", "who", "whom", "whose", "why", "how", "which", "if", "whether"),
    chatter=(
        "lane", "lanes", "laner", "diff", "gap", "account", "accounts",  # in games, and of others
        "is", "isn't", "was", "wasn't", "has", "hasn't", "had", "hadn't", "does", "doesn't", "did", "didn't", "won't",
        "can't", "cannot", "couldn't", "wouldn't", "seems", "looks", "says", "said", "keeps", "needs", "works", "got",
        "went", "made", "makes", "gets", "goes", "thinks", "knows", "knew", "forgets", "forgot", "remembers", "likes",
        "hates", "never", "always", "and", "or", "as", "in", "on", "of", "from", "with",
    ),
)  # fmt: skip

GERMAN = Phrases(
    greetings=("hey", "hi", "hallo", "ok", "okay", "na", "moin", "servus", "so"),
    polite=("bitte", "mal", "doch", "danke", "noch", "auch", "jetzt", "für mich"),
    asking=(
        "kannst du", "könntest du", "würdest du", "kannst du dir", "könntest du dir", "würdest du dir",
        "könnt ihr euch", "du sollst", "du sollst dir", "du musst", "du musst dir", "du kannst", "du kannst dir",
    ),
    remember=(
        "merk dir", "merke dir", "merk dir's", "merkt euch", "behalte", "behalt", "behalte … im kopf",
        "behalt … im kopf", "erinnere dich daran", "erinnere dich", "erinner dich daran", "erinner dich",
        "vergiss nicht", "vergiss bitte nicht", "vergiss nie", "vergiss niemals", "vergiss das nicht",
        "vergiss es nicht", "notiere dir", "notier dir", "notiere", "notier", "schreib dir auf", "präg dir ein",
    ),
    remember_asked=(
        "merken", "… merken", "behalten", "… behalten", "im kopf behalten", "notieren", "… notieren", "aufschreiben",
        "… aufschreiben", "daran erinnern", "nicht vergessen", "… nicht vergessen",
    ),
    forget=("vergiss", "vergesse", "vergesst", "streich aus deinem gedächtnis"),
    forget_asked=("vergessen", "… vergessen"),
    knowledge=(
        "was weißt du über", "was weisst du über", "was weisst du ueber", "was weißt du von", "was weisst du von",
        "was weißt du alles über", "was weisst du alles über", "weißt du etwas über", "weißt du was über",
        "weisst du etwas über", "was ist über … bekannt", "sag mir was du über … weißt",
        "was hast du dir über … gemerkt", "erzähl mir alles über", "erzähle mir alles über",
    ),
    who_is=("wer ist", "wer bin", "wer sind", "kennst du", "erzähl mir von", "erzähl mir etwas über", "erzähl von"),
    everywhere=("überall", "ueberall", "für alle", "fuer alle", "serverweit"),
    for_all_to_know=(
        "das dürfen alle wissen", "das darf jeder wissen", "das können alle wissen", "das kann jeder wissen",
        "dürfen alle wissen", "darf jeder wissen", "alle dürfen das wissen", "jeder darf das wissen",
        "alle dürfen es wissen", "jeder darf es wissen", "das duerfen alle wissen", "alle duerfen das wissen",
        "alle können das wissen", "jeder kann das wissen",
        "das darf überall bekannt sein", "du darfst es allen sagen", "du kannst es allen sagen",
    ),
    conjunctions=("dass", "das", "daß"),
    interrogatives=("was", "wann", "wo", "wer", "wem", "wen", "wessen", "warum", "wieso", "wie", "welche", "ob"),
    chatter=(
        "ist", "war", "hat", "hatte", "wird", "wurde", "geht", "ging", "funktioniert", "sagt", "sagte", "spinnt",
        "macht", "läuft", "nervt", "vergisst", "weiß", "weiss", "kennt", "und", "oder", "scheint", "schreibt",
    ),
)  # fmt: skip

FRENCH = Phrases(
    greetings=("salut", "bonjour", "hé", "eh", "ok", "coucou", "bon", "alors", "dis"),
    polite=("s'il te plaît", "s'il te plait", "s'il vous plaît", "stp", "svp", "merci", "bien", "aussi", "pour moi"),
    asking=(
        "peux-tu", "pourrais-tu", "tu peux", "tu pourrais", "pouvez-vous", "pourriez-vous", "est-ce que tu peux",
        "est-ce que tu pourrais", "tu dois", "il faut", "je veux que tu", "veux-tu", "veuillez",
    ),
    remember=(
        "souviens-toi", "rappelle-toi", "souvenez-vous", "rappelez-vous", "retiens", "retenez", "mémorise",
        "mémorisez", "note", "notez", "garde en tête", "garde en mémoire", "garde … en tête", "garde … en mémoire",
        "n'oublie pas", "oublie pas", "n'oublie jamais", "n'oubliez pas", "n'oubliez jamais",
    ),
    remember_asked=(
        "te souvenir", "te rappeler", "retenir", "mémoriser", "noter", "garder en tête", "garder … en tête",
        "garder en mémoire", "vous souvenir", "vous rappeler", "ne pas oublier",
    ),
    forget=("oublie", "oubliez", "efface de ta mémoire"),
    forget_asked=("oublier",),
    knowledge=(
        "que sais-tu sur", "que sais-tu de", "que sais-tu d'", "que sais-tu à propos de", "que sais-tu à propos d'",
        "qu'est-ce que tu sais sur", "qu'est-ce que tu sais de", "qu'est-ce que tu sais d'",
        "qu'est-ce que tu sais à propos de", "tu sais quoi sur", "tu sais quoi de", "sais-tu quelque chose sur",
        "que savez-vous sur", "que savez-vous de", "dis-moi ce que tu sais sur", "dis-moi ce que tu sais de",
        "dis-moi tout sur",
    ),
    who_is=("qui est", "c'est qui", "qui suis", "connais-tu", "tu connais", "parle-moi de", "parle-moi d'"),
    everywhere=("partout", "pour tout le monde", "pour tous"),
    for_all_to_know=(
        "tout le monde peut le savoir", "tout le monde peut savoir", "tout le monde a le droit de le savoir",
        "tous peuvent le savoir", "chacun peut le savoir", "n'importe qui peut le savoir",
        "ça peut se savoir partout", "cela peut se savoir partout", "tu peux le dire à tout le monde",
        "tu peux le dire à tous",
    ),
    conjunctions=("que", "qu'", "de ce que", "du fait que"),
    interrogatives=("quand", "où", "qui", "pourquoi", "comment", "quel", "quelle", "si", "ce"),
    chatter=(
        "est", "n'est", "était", "n'a", "avait", "ne", "marche", "fonctionne", "dit", "fait", "va", "semble", "oublie",
        "sait", "et", "ou", "plante",
    ),
)  # fmt: skip

SPANISH = Phrases(
    greetings=("hola", "oye", "hey", "ok", "vale", "bueno", "eh", "y"),
    polite=("por favor", "porfa", "porfavor", "gracias", "también", "bien", "para mí"),
    asking=(
        "puedes", "podrías", "me puedes", "puede", "podría", "podéis", "tienes que", "debes", "quiero que",
        "quisiera que",
    ),
    remember=(
        "recuerda", "recuerde", "recordad", "acuérdate de", "acuérdate", "acuérdese de", "no olvides", "no te olvides",
        "no te olvides de", "no olvide", "nunca olvides", "memoriza", "memorice", "anota", "anote", "apunta", "apunte",
        "ten en cuenta", "ten presente",
    ),
    remember_asked=(
        "recordar", "acordarte de", "acordarte", "memorizar", "anotar", "apuntar", "tener en cuenta", "recuerdes",
        "no olvidar", "no olvides",
    ),
    forget=("olvida", "olvídate de", "olvídate", "olvide", "olvídese de", "olvidad", "borra de tu memoria"),
    forget_asked=("olvidar", "olvidarte de", "olvidarte", "olvides"),
    knowledge=(
        "qué sabes de", "qué sabes sobre", "qué sabes acerca de", "qué es lo que sabes de", "qué recuerdas de",
        "qué es lo que sabes sobre", "qué recuerdas sobre", "sabes algo de", "sabes algo sobre", "qué sabe de",
        "dime qué sabes de", "dime qué sabes sobre", "dime lo que sabes de", "dime lo que sabes sobre",
        "dime todo sobre", "cuéntame lo que sabes de",
    ),
    who_is=("quién es", "quién soy", "quiénes son", "conoces a", "háblame de", "cuéntame de"),
    everywhere=("en todas partes", "en todos lados", "en todo el servidor", "para todos", "para todo el mundo"),
    for_all_to_know=(
        "todos pueden saberlo", "todos lo pueden saber", "todo el mundo puede saberlo",
        "todo el mundo lo puede saber", "cualquiera puede saberlo", "lo pueden saber todos",
        "lo puede saber cualquiera", "puedes decírselo a todos", "puedes contárselo a todos",
        "puede saberse en todas partes",
    ),
    conjunctions=("que", "de que"),
    interrogatives=("qué", "cuándo", "dónde", "quién", "cómo", "cuál", "si"),
    chatter=(
        "es", "era", "está", "estaba", "tiene", "ha", "había", "funciona", "no funciona", "no es", "no está", "dice",
        "parece", "no sabe", "sabe", "y", "o", "hace", "fue",
    ),
)  # fmt: skip

RUSSIAN = Phrases(
    greetings=("привет", "эй", "ок", "слушай", "ну", "так", "а"),
    polite=("пожалуйста", "плиз", "пж", "спасибо", "себе", "ещё", "тоже", "для меня"),
    asking=(
        "можешь", "можешь ли ты", "ты можешь", "мог бы ты", "ты мог бы", "можете", "могли бы вы", "ты должен",
        "тебе надо", "тебе нужно", "надо", "нужно",
    ),
    remember=(
        "запомни", "запомните", "запоминай", "помни", "помните", "не забудь", "не забудьте", "не забывай",
        "не забывайте", "запиши", "запишите", "заметь", "имей в виду", "имей ввиду",
    ),
    remember_asked=("запомнить", "помнить", "не забыть", "не забывать", "записать", "иметь в виду"),
    forget=(
        "забудь про то", "забудь о том", "забудь про", "забудь о", "забудь об", "забудь", "забудьте про",
        "забудьте о", "забудьте об", "забудьте", "забывай",
    ),
    forget_asked=("забыть про то", "забыть о том", "забыть про", "забыть о", "забыть об", "забыть"),
    knowledge=(
        "что ты знаешь о", "что ты знаешь об", "что ты знаешь обо", "что ты знаешь про", "что знаешь о",
        "что знаешь об", "что знаешь обо", "что знаешь про", "что ты помнишь о", "что ты помнишь об",
        "что ты помнишь обо", "что ты помнишь про", "что тебе известно о", "что тебе известно об",
        "что тебе известно про", "что известно о", "что известно про", "скажи что ты знаешь о",
        "скажи что ты знаешь про", "расскажи что знаешь о", "расскажи что знаешь про", "расскажи всё о",
        "расскажи всё про",
    ),
    who_is=(
        "кто такой", "кто такая", "кто такие", "кто это", "знаешь ли ты", "ты знаешь",
        "расскажи о", "расскажи об", "расскажи обо", "расскажи про",
    ),
    everywhere=("везде", "повсюду", "для всех", "на всём сервере"),
    for_all_to_know=(
        "все могут это знать", "все могут знать", "все могут знать об этом", "все могут знать это",
        "это могут знать все", "это можно знать всем", "об этом могут знать все", "пусть все знают",
        "пусть знают все", "пусть все это знают", "можешь всем рассказать", "можешь рассказать всем",
        "можно рассказать всем",
    ),
    conjunctions=("что", "то что"),
    interrogatives=("когда", "где", "кто", "почему", "зачем", "как", "какой", "какая", "ли", "что"),
    chatter=(
        "был", "была", "было", "сломался", "упал", "завис", "работает", "не работает", "говорит", "сказал", "опять",
        "снова", "и", "или", "тупит", "глючит", "лежит", "умер", "знает", "забыл", "умеет", "не умеет", "не знает",
    ),
)  # fmt: skip

PHRASES: dict[Language, Phrases] = {
    Language.EN: ENGLISH,
    Language.DE: GERMAN,
    Language.FR: FRENCH,
    Language.ES: SPANISH,
    Language.RU: RUSSIAN,
}
