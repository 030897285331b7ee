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
    untrue: tuple[str, ...]
    """Say that something does not hold any more, without asking for anything."""
    never: tuple[str, ...]
    """Want nothing remembered."""
    remind: tuple[str, ...]
    """Followed by a time or by what is to be done; by something else they ask."""
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
    polite=("please", "pls", "plz", "kindly", "thanks", "thank you", "thx", "ty", "tysm", "for me"),
    asking=(
        "can you", "could you", "would you", "will you", "can u", "could u", "you should", "you must", "you can",
        "i want you to", "i'd like you to", "i would like you to", "i need you to", "would you mind",
        "would you be so kind as to", "would you be so kind to",
    ),
    remember=(
        "remember", "do remember", "always remember", "don't forget", "do not forget", "never forget", "memorize",
        "memorise", "keep in mind", "bear in mind", "keep … in mind", "make a note of", "make a note", "take note of",
        "take note", "note that", "note down", "write down", "write this down", "write that down", "write … down",
        "jot down", "jot this down", "jot that down", "jot … down", "save this", "save that",
    ),
    remember_asked=(
        "remember", "remembering", "memorize", "memorise", "keep in mind", "keeping in mind", "keep … in mind",
        "make a note of", "make a note", "take note of", "note that", "note down", "not forget", "write down",
        "write this down", "write … down", "jot down", "jot this down", "jot … down", "save this", "save that",
    ),
    forget=(
        "forget about", "forget", "unlearn", "stop remembering", "do forget", "unremember", "delete", "erase",
        "delete … from your memory", "erase … from your memory", "remove … from your memory",
        "remove from your memory", "drop the thing about", "drop the thing with", "drop what i said about",
        "scratch that", "you don't need to remember", "you don't need to remember … anymore",
        "you don't need to remember … any more", "you don't have to remember", "you don't have to remember … anymore",
        "you don't have to remember … any more", "you can stop remembering", "no need to remember",
        "no need to remember … anymore", "no need to remember … any more",
    ),
    forget_asked=(
        "forget about", "forget", "forgetting about", "forgetting", "unlearn", "stop remembering", "unremember",
        "delete", "deleting", "erase", "erasing", "delete … from your memory", "erase … from your memory",
        "remove … from your memory", "drop the thing about", "drop the thing with", "drop what i said about",
        "scratch that",
    ),
    untrue=(
        "it is no longer true", "it's no longer true", "it is not true any more", "it's not true any more",
        "it isn't true anymore", "it is not true anymore", "it's not true anymore", "it no longer holds",
        "… is no longer true", "… isn't true anymore", "… isn't true any more", "… is not true anymore",
        "… is not true any more",
    ),
    never=(
        "never remember", "don't remember", "do not remember", "not remember", "never keep", "don't keep",
        "do not keep", "don't note", "do not note", "don't save", "do not save", "don't write down",
        "don't write this down", "don't write that down", "don't memorize", "don't memorise", "don't ever remember",
    ),
    remind=(
        "remind me", "remind us", "remember to remind me", "remember to remind us", "don't forget to remind me",
        "do not forget to remind me", "set a reminder", "set me a reminder", "set a reminder for",
        "set me a reminder for", "send me a reminder", "ping me",
    ),
    knowledge=(
        "what do you know about", "what do you know of", "what do u know about", "what do you remember about",
        "what have you learned about", "what have you learnt about", "what is known about", "what's known about",
        "what can you tell me about", "do you know anything about", "do you know something about",
        "what did you remember about", "tell me what you know about", "tell me everything you know about",
        "tell me all you know about", "tell me everything about", "say what you know about",
        "what have you remembered about", "what have you got on", "what do you have on", "what do you have about",
        "what have you on file about", "tell me what you have on", "tell me what you have about",
        "tell me what you have on file about", "tell me something about", "any info on", "any info about",
        "got any info on", "got any info about", "do you have any info on", "do you have any info about",
    ),
    who_is=(
        "who is", "who's", "whos", "who are", "who am", "do you know", "do you remember", "tell me about",
        "tell me more about",
    ),
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
    polite=(
        "bitte", "mal", "doch", "danke", "noch", "auch", "jetzt", "für mich", "eigentlich", "eig", "denn", "endlich",
    ),
    asking=(
        "kannst du", "könntest du", "würdest du", "kannst du dir", "könntest du dir", "würdest du dir",
        "wärst du so nett und würdest dir", "magst du dir", "magst du",
        "könnt ihr euch", "du sollst", "du sollst dir", "du musst", "du musst dir", "du kannst", "du kannst dir",
    ),
    remember=(
        "merk dir", "merke dir", "merk dir's", "merkt euch", "behalte", "behalt", "behalte … im kopf",
        "behalt … im kopf", "erinnere dich daran", "erinnere dich", "erinner dich daran", "erinner dich",
        "vergiss nicht", "vergiss bitte nicht", "vergiss nie", "vergiss niemals", "vergiss das nicht",
        "vergiss es nicht", "notiere dir", "notier dir", "notiere", "notier", "schreib dir auf", "präg dir ein",
        "merks dir", "merk es dir", "schreib auf", "schreibe auf", "schreib dir … auf", "schreib das auf",
        "halte fest", "halt fest", "speicher", "speichere",
    ),
    remember_asked=(
        "merken", "… merken", "behalten", "… behalten", "im kopf behalten", "notieren", "… notieren", "aufschreiben",
        "… aufschreiben", "daran erinnern", "nicht vergessen", "… nicht vergessen",
        "festhalten", "… festhalten", "speichern", "… speichern",
    ),
    forget=(
        "vergiss", "vergesse", "vergesst", "streich aus deinem gedächtnis", "lösch", "lösche", "streich", "streiche",
        "lösch … aus deinem gedächtnis", "lösche … aus deinem gedächtnis", "streich … aus deinem gedächtnis",
        "du brauchst dir nicht mehr zu merken", "du brauchst dir … nicht mehr zu merken",
        "du brauchst dir nicht mehr merken",
    ),
    forget_asked=("vergessen", "… vergessen", "löschen", "… löschen", "streichen", "… streichen"),
    untrue=(
        "es stimmt nicht mehr", "es ist nicht mehr wahr", "es ist nicht mehr so", "… stimmt nicht mehr",
        "… stimmt so nicht mehr", "… ist nicht mehr wahr", "… gilt nicht mehr",
    ),
    never=(
        "merk dir nicht", "merk dir nichts", "merk dir nie", "merk dir niemals", "merk dir das nicht",
        "merk dir das bitte nicht", "merk dir bitte nicht", "merke dir nicht", "merke dir nichts", "merke dir nie",
        "merke dir niemals", "merke dir das nicht", "merke dir bitte nicht", "merk dir bloß nicht",
        "merk dir bloß nichts", "du musst dir nicht merken", "du musst dir das nicht merken",
        "du musst dir das nicht mehr merken", "du sollst dir nichts merken", "du sollst dir nicht merken",
        "du sollst dir das nicht merken", "schreib das nicht auf", "schreib nicht auf", "notier das nicht",
        "notiere das nicht", "speicher das nicht", "speichere das nicht", "behalte das nicht",
    ),
    remind=(
        "erinner mich", "erinnere mich", "erinner uns", "erinnere uns", "mich … erinnern", "mich erinnern",
        "vergiss nicht mich … zu erinnern",
    ),
    knowledge=(
        "was weißt du über", "was weisst du über", "was weisst du ueber", "was weißt du von", "was weisst du von",
        "was weißt du alles über", "was weisst du alles über", "weißt du etwas über", "weißt du was über",
        "weisst du etwas über", "was ist über … bekannt", "sag mir was du über … weißt",
        "was hast du dir über … gemerkt", "erzähl mir alles über", "erzähle mir alles über",
        "was weißt du alles von", "was weißt du alles über … so", "was weißt du alles von … so", "was weißt du so über",
        "was weißt du über … so", "was hast du über", "was hast du zu", "weißt du irgendwas über",
        "hast du infos zu", "hast du infos über", "irgendwelche infos zu", "irgendwelche infos über", "infos zu",
        "infos über", "mir sagen was du über … weißt", "mir sagen was du über", "erzähl mir was du über … weißt",
    ),
    who_is=("wer ist", "wer bin", "wer sind", "kennst du", "erzähl mir von", "erzähl von", *(
        f"{tell} mir {please}{what} über"
        for tell in ("erzähl", "erzähle")
        for please in ("", "bitte ", "doch ", "doch bitte ", "mal ", "doch mal ", "bitte mal ")
        for what in ("etwas", "was", "mehr")
    )),
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
        *(f"{who} {whom}" for who in ("er", "sie") for whom in ("mir", "dir", "ihm", "ihr", "uns", "euch", "ihnen")),
        "ist", "war", "hat", "hatte", "wird", "wurde", "geht", "ging", "funktioniert", "sagt", "sagte", "spinnt",
        "macht", "läuft", "nervt", "vergisst", "weiß", "weiss", "kennt", "und", "oder", "scheint", "schreibt",
    ),
)  # fmt: skip

FRENCH = Phrases(
    greetings=("salut", "bonjour", "hé", "eh", "ok", "coucou", "bon", "alors", "dis"),
    polite=(
        "s'il te plaît", "s'il te plait", "s'il vous plaît", "stp", "svp", "merci", "merci d'avance", "bien", "aussi",
        "pour moi",
    ),
    asking=(
        "peux-tu", "pourrais-tu", "tu peux", "tu pourrais", "pouvez-vous", "pourriez-vous", "est-ce que tu peux",
        "est-ce que tu pourrais", "tu dois", "il faut", "je veux que tu", "veux-tu", "veuillez",
        "ça te dérange de", "tu veux bien", "veux-tu bien",
    ),
    remember=(
        "souviens-toi", "rappelle-toi", "souvenez-vous", "rappelez-vous", "retiens", "retenez", "mémorise",
        "mémorisez", "note", "notez", "garde en tête", "garde en mémoire", "garde … en tête", "garde … en mémoire",
        "n'oublie pas", "oublie pas", "n'oublie jamais", "n'oubliez pas", "n'oubliez jamais",
        "enregistre", "enregistrez", "prends note", "prends en note", "mets par écrit",
    ),
    remember_asked=(
        "te souvenir", "te rappeler", "retenir", "mémoriser", "noter", "garder en tête", "garder … en tête",
        "garder en mémoire", "vous souvenir", "vous rappeler", "ne pas oublier", "enregistrer", "prendre note",
    ),
    forget=(
        "oublie", "oubliez", "efface de ta mémoire", "efface", "effacez", "supprime", "supprimez",
        "efface … de ta mémoire", "supprime … de ta mémoire", "enlève … de ta mémoire", "retire … de ta mémoire",
        "laisse tomber l'histoire de", "tu n'as plus besoin de retenir", "tu n'as plus besoin de te souvenir",
        "t'as plus besoin de retenir", "plus besoin de retenir",
    ),
    forget_asked=("oublier", "effacer", "supprimer", "effacer … de ta mémoire", "supprimer … de ta mémoire"),
    untrue=(
        "ce n'est plus vrai", "c'est plus vrai", "il n'est plus vrai", "… c'est plus vrai",
        "… ce n'est plus vrai",
    ),
    never=(
        "ne retiens pas", "retiens pas", "ne retiens jamais", "ne retiens rien", "retiens rien", "ne note pas",
        "ne note rien", "ne note jamais", "note pas", "note rien", "ne mémorise pas", "ne mémorise rien",
        "mémorise pas", "ne te souviens pas", "ne te souviens jamais", "ne te rappelle pas", "n'enregistre pas",
        "n'enregistre rien", "n'enregistre jamais", "enregistre pas", "ne garde pas", "ne garde rien", "ne pas retenir",
        "ne retenez pas", "ne retenez rien", "ne notez pas",
    ),
    remind=(
        "rappelle-moi", "rappelez-moi", "rappelle-nous", "me rappeler", "nous rappeler", "n'oublie pas de me rappeler",
        "pense à me rappeler", "souviens-toi de me rappeler",
    ),
    knowledge=(
        "que sais-tu sur", "que sais-tu de", "que sais-tu d'", "que sais-tu à propos de", "que sais-tu à propos d'",
        "qu'est-ce que tu sais sur", "qu'est-ce que tu sais de", "qu'est-ce que tu sais d'",
        "qu'est-ce que tu sais à propos de", "tu sais quoi sur", "tu sais quoi de", "sais-tu quelque chose sur",
        "que savez-vous sur", "que savez-vous de", "dis-moi ce que tu sais sur", "dis-moi ce que tu sais de",
        "dis-moi tout sur", "qu'as-tu retenu sur", "qu'as-tu retenu de", "qu'est-ce que tu as retenu sur",
        "qu'est-ce que tu as retenu de", "tu as quoi sur", "t'as quoi sur", "tu as des infos sur", "t'as des infos sur",
        "as-tu des infos sur", "des infos sur", "raconte-moi quelque chose sur", "dis-moi quelque chose sur",
        "me dire ce que tu sais sur", "me dire ce que tu sais de",
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
        "sait", "et", "ou", "plante", "de merde",
    ),
)  # fmt: skip

SPANISH = Phrases(
    greetings=("hola", "oye", "hey", "ok", "vale", "bueno", "eh", "y"),
    polite=("por favor", "porfa", "porfi", "porfavor", "gracias", "también", "bien", "para mí"),
    asking=(
        "puedes", "podrías", "me puedes", "puede", "podría", "podéis", "tienes que", "debes", "quiero que",
        "quisiera que", "te importaría", "te importa",
    ),
    remember=(
        "recuerda", "recuerde", "recordad", "acuérdate de", "acuérdate", "acuérdese de", "no olvides", "no te olvides",
        "no te olvides de", "no olvide", "nunca olvides", "memoriza", "memorice", "anota", "anote", "apunta", "apunte",
        "ten en cuenta", "ten presente", "apúntate", "toma nota de", "toma nota", "guarda", "guárdate",
    ),
    remember_asked=(
        "recordar", "acordarte de", "acordarte", "memorizar", "anotar", "apuntar", "tener en cuenta", "recuerdes",
        "no olvidar", "no olvides", "tomar nota de", "tomar nota", "guardar",
    ),
    forget=(
        "olvida", "olvídate de", "olvídate", "olvide", "olvídese de", "olvidad", "borra de tu memoria", "borra",
        "borre", "elimina", "elimine", "borra … de tu memoria", "elimina … de tu memoria", "quita … de tu memoria",
        "deja lo de", "ya no hace falta que recuerdes", "no hace falta que recuerdes más",
        "ya no tienes que recordar", "ya no necesitas recordar",
    ),
    forget_asked=(
        "olvidar", "olvidarte de", "olvidarte", "olvides", "borrar", "eliminar", "borres", "elimines",
        "borrar … de tu memoria", "eliminar … de tu memoria",
    ),
    untrue=(
        "ya no es verdad", "ya no es cierto", "ya no es así", "… ya no es verdad", "… ya no es cierto",
    ),
    never=(
        "no recuerdes", "nunca recuerdes", "jamás recuerdes", "no guardes", "nunca guardes", "no apuntes",
        "nunca apuntes", "no anotes", "nunca anotes", "no memorices", "nunca memorices", "no te acuerdes",
        "no te quedes con", "no recordar", "no guardar",
    ),
    remind=(
        "recuérdame", "recuérdanos", "recordarme", "recordarnos", "acuérdate de recordarme", "no olvides recordarme",
        "hazme acordar", "avísame",
    ),
    knowledge=(
        "qué sabes de", "qué sabes sobre", "qué sabes acerca de", "qué es lo que sabes de", "qué recuerdas de",
        "qué es lo que sabes sobre", "qué recuerdas sobre", "sabes algo de", "sabes algo sobre", "qué sabe de",
        "dime qué sabes de", "dime qué sabes sobre", "dime lo que sabes de", "dime lo que sabes sobre",
        "dime todo sobre", "cuéntame lo que sabes de", "cuéntame algo sobre", "cuéntame algo de", "dime algo sobre",
        "dime algo de", "qué has guardado de", "qué has guardado sobre", "qué has apuntado de",
        "qué has apuntado sobre", "qué tienes de", "qué tienes sobre", "tienes info de", "tienes info sobre",
        "alguna info de", "alguna info sobre", "decirme qué sabes de", "decirme qué sabes sobre",
    ),
    who_is=("quién es", "quién soy", "quiénes son", "conoces a", "háblame de", "cuéntame de", "cuéntame sobre"),
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
        "parece", "no sabe", "sabe", "y", "o", "hace", "fue", "de mierda", "de los",
    ),
)  # fmt: skip

RUSSIAN = Phrases(
    greetings=("привет", "эй", "ок", "слушай", "ну", "так", "а"),
    polite=("пожалуйста", "плиз", "плз", "пж", "спасибо", "спс", "себе", "ещё", "тоже", "для меня"),
    asking=(
        "можешь", "можешь ли ты", "ты можешь", "мог бы ты", "ты мог бы", "можете", "могли бы вы", "ты должен",
        "тебе надо", "тебе нужно", "надо", "нужно", "не могли бы вы", "не мог бы ты", "не могла бы ты", "не можешь",
        "не можешь ли ты", "не можете",
    ),
    remember=(
        "запомни", "запомните", "запоминай", "помни", "помните", "не забудь", "не забудьте", "не забывай",
        "не забывайте", "запиши", "запишите", "заметь", "имей в виду", "имей ввиду", "учти", "сохрани", "отметь",
    ),
    remember_asked=(
        "запомнить", "помнить", "не забыть", "не забывать", "записать", "иметь в виду", "сохранить", "отметить",
    ),
    forget=(
        "забудь про то", "забудь о том", "забудь про", "забудь о", "забудь об", "забудь", "забудьте про",
        "забудьте о", "забудьте об", "забудьте", "забывай", "удали", "удалите", "сотри", "сотрите",
        "удали … из памяти", "сотри … из памяти", "убери … из памяти", "больше не помни", "можешь больше не помнить",
        "больше не нужно помнить", "больше не надо помнить",
    ),
    forget_asked=(
        "забыть про то", "забыть о том", "забыть про", "забыть о", "забыть об", "забыть", "удалить", "стереть",
        "удалить … из памяти", "стереть … из памяти",
    ),
    untrue=(
        "это уже неправда", "это уже не правда", "это больше неправда", "это больше не правда", "уже неправда",
        "больше неправда", "больше не правда", "уже не правда", "… уже неправда", "… больше неправда",
        "… уже не правда", "… больше не правда",
    ),
    never=(
        "не запоминай", "не запоминайте", "никогда не запоминай", "никогда не запоминайте", "не надо запоминать",
        "не нужно запоминать", "не запоминать", "не записывай", "не записывайте", "никогда не записывай",
        "не надо записывать", "не сохраняй", "никогда не сохраняй",
    ),
    remind=(
        "напомни", "напомните", "напомни мне", "напомните мне", "напомни нам", "напомнить", "напомнить мне",
        "мне напомнить", "не забудь напомнить", "не забудь мне напомнить", "не забудь напомнить мне",
    ),
    knowledge=(
        "что ты знаешь о", "что ты знаешь об", "что ты знаешь обо", "что ты знаешь про", "что знаешь о",
        "что знаешь об", "что знаешь обо", "что знаешь про", "что ты помнишь о", "что ты помнишь об",
        "что ты помнишь обо", "что ты помнишь про", "что тебе известно о", "что тебе известно об",
        "что тебе известно про", "что известно о", "что известно про", "скажи что ты знаешь о",
        "скажи что ты знаешь про", "расскажи что знаешь о", "расскажи что знаешь про", "расскажи всё о",
        "расскажи всё про", "расскажи что-нибудь о", "расскажи что-нибудь об", "расскажи что-нибудь про",
        "что ты запомнил о", "что ты запомнил об", "что ты запомнил про", "что у тебя есть о", "что у тебя есть про",
        "есть инфа о", "есть инфа про", "есть инфа по", "есть информация о", "есть информация об",
        "есть что-нибудь о", "есть что-нибудь про", "рассказать что знаешь о", "рассказать что знаешь про",
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
