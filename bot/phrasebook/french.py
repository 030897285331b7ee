"""The bot's sentences in French."""

from bot.phrasebook.phrase import Phrase

BOOK = {
    Phrase.REMEMBERED: "Je retiens à propos de {name} : {fact}",
    Phrase.REMEMBERED_ABOUT_SERVER: (
        "Je n’y ai reconnu aucun membre, je le retiens donc à propos de ce serveur : {fact}\n"
        "Si cela concerne quelqu’un, mentionne la personne : « {bot} souviens-toi que @nom … »"
    ),
    Phrase.CONFIRMED_BY_TELLING: "J’en avais entendu parler, et maintenant je le tiens de toi : {fact}",
    Phrase.ALREADY_KNOWN: "Je le sais déjà : {fact}",
    Phrase.WHICH_MEMBER: (
        "De quel « {name} » parles-tu ? Choisis ci-dessous, ou redis-le avec une mention.\n{candidates}"
    ),
    Phrase.GUESSED_MEMBER: (
        "Je ne connais personne du nom de « {name} ». De qui parles-tu ? Choisis ci-dessous, ou redis-le avec une "
        "mention.\n{candidates}"
    ),
    Phrase.NONE_OF_THEM: "Personne d’entre eux",
    Phrase.MAY_BE_TOLD: "Je ne saurais dire en ce moment si c’était une question ou quelque chose à retenir.",
    Phrase.REMEMBER_THIS: "À retenir",
    Phrase.NOT_YOUR_CHOICE: "J’ai demandé à la personne qui me l’a dit ; elle seule sait de qui elle parle.",
    Phrase.TELLING_GONE: "Je ne retrouve plus ce que tu as écrit, donc rien n’a été fait. Redis-le, s’il te plaît.",
    Phrase.CHOSEN_TOO_LATE: "C'était il y a trop longtemps pour continuer. Redis-le-moi, s'il te plaît.",
    Phrase.REPLACED: "-# Cela remplace :\n{facts}",
    Phrase.KNOWN_BETTER: "{name} m’a dit autre chose, je garde donc ceci : {fact}\nSeul·e {name} peut le changer.",
    Phrase.NOTHING_TO_REMEMBER: (
        "Que dois-je retenir ? Par exemple « {bot} souviens-toi que @nom aime le thé », "
        "ou réponds à un message par « {bot} souviens-toi de ça à propos de @nom »."
    ),
    Phrase.SOURCE_NOT_KEPT: (
        "Le message dont tu parles n’est plus là, ou je n’ai pas le droit de le garder : je n’ai donc rien retenu."
    ),
    Phrase.FACT_TOO_LONG: "C’est trop long ({length} caractères sur {limit} au plus). Dis-le plus brièvement.",
    Phrase.TOLD_ENOUGH: (
        "Tu m’as déjà raconté {limit} choses sur {name}, et je n’en retiens pas plus d’une seule personne. "
        "Rien n’a été retenu cette fois ; fais-moi d’abord oublier quelque chose : « {bot} oublie … »"
    ),
    Phrase.TOLD_ENOUGH_ABOUT_SERVER: (
        "Tu m’as déjà raconté {limit} choses sur ce serveur, et je n’en retiens pas plus d’une seule "
        "personne. Rien n’a été retenu cette fois ; fais-moi d’abord oublier quelque chose : « {bot} oublie … »"
    ),
    Phrase.FORGOTTEN: "Oublié :\n{facts}",
    Phrase.FORGOTTEN_UNSAID: "C’est oublié.",
    Phrase.FORGOTTEN_ALL: "Tout ce qu’on m’a dit de toi, où que ce soit sur ce serveur, est oublié.",
    Phrase.UNCLEAR_WHAT: (
        "Que dois-je oublier ? Rien n’est encore oublié ; dis-le plus précisément : « {query} »\n{facts}"
    ),
    Phrase.FORGET_THIS: "Dois-je oublier ceci ? Rien n’est encore oublié ; si oui, appuie sur 1.\n{facts}",
    Phrase.WHICH_FACT: (
        "Que dois-je oublier ? Rien n’est encore oublié ; choisis ci-dessous, ou précise : « {query} »\n{facts}"
    ),
    Phrase.NOTHING_FOUND: "Je ne trouve rien de tel dont je puisse parler ici, rien n’a donc été oublié : « {query} »",
    Phrase.NOT_KEPT_ANY_MORE: "Je ne garde plus cela.",
    Phrase.MAY_NOT_FORGET: "Je garde cela. Seul(e) {who} peut le faire oublier :\n{facts}",
    Phrase.CANNOT_LOOK: (
        "Je ne peux pas consulter ma mémoire en ce moment, je ne sais donc pas si j’en sais quelque chose. "
        "Réessaie dans un instant."
    ),
    Phrase.CANNOT_WRITE: (
        "Je ne peux pas écrire dans ma mémoire en ce moment, ne compte donc pas dessus. Redis-le-moi dans un instant."
    ),
    Phrase.WAS_AWAY: "Je me suis absenté un instant.",
    Phrase.TOOK_TOO_LONG: "Cela m’a pris trop de temps et je me suis arrêté. Réessaie dans un instant.",
    Phrase.UNEXPECTED: "Quelque chose a mal tourné de mon côté, je n’ai pas pu terminer. (Requête {request})",
    Phrase.NOTHING_TO_SAY: "Je n’ai rien à dire à cela.",
    Phrase.WELCOME: "Avec plaisir !",
    Phrase.GREETING: "Bonjour ! Pose-moi une question, ou confie-moi quelque chose : « {bot} retiens que … ».",
    Phrase.FAREWELL: "À la prochaine !",
    Phrase.NOD: "Toujours un plaisir. 🙂",
    Phrase.CUT: "… (coupé)",
    Phrase.DIRECT_MESSAGE: (
        "Bonjour ! Je vis sur des serveurs et je retiens ce qui s’y dit ; ici, je ne garde rien. "
        "Mentionne-moi sur un serveur commun, ou écris-y « {bot} souviens-toi … »."
    ),
    Phrase.STAYS_HERE: "-# Cela reste entre ceux qui peuvent lire ce salon.",
    Phrase.STAYS_HERE_ALL_THE_SAME: (
        "-# Cela reste entre ceux qui peuvent lire ce salon : seule la personne concernée, avec ses propres mots, peut "
        "le faire savoir à tout le monde."
    ),
    Phrase.EVERYONE_MAY_KNOW: "-# Tout le monde sur ce serveur peut le savoir.",
    Phrase.LET_EVERYONE_KNOW: "Tout le monde peut le savoir",
    Phrase.NOT_YOURS_TO_OPEN: "Seule la personne qui m’a dit cela d’elle-même peut en décider.",
    Phrase.NOTHING_TO_OPEN: "Je ne garde plus cela, il n’y a donc rien à décider.",
    Phrase.ANSWER_ONLY_TO_ME: "Ne réponds qu’à moi",
    Phrase.NOT_YOUR_ANSWER: (
        "Ce bouton appartient à la personne qui a posé la question. Pose-moi la tienne avec `/ask` : personne d’autre "
        "ne verra ma réponse."
    ),
    Phrase.QUESTION_GONE: (
        "Je ne retrouve plus ta question, je ne sais donc pas ce que tu voulais savoir. "
        "Redemande-moi avec `/ask` : personne d’autre ne verra ma réponse."
    ),
    Phrase.ASK_ONLY_ANSWERS: (
        "Avec `/ask`, je ne fais que répondre à des questions. Pour me faire retenir ou oublier quelque chose, écris "
        "« {bot} souviens-toi … » ou « {bot} oublie … » dans un salon."
    ),
    Phrase.ASKED_TOO_SOON: "Une chose à la fois, s’il te plaît : redemande-moi {when}.",
    Phrase.ASKED_ENOUGH: "Tu m’as beaucoup demandé cette dernière heure. Je continue volontiers {when}.",
    Phrase.IN_SECONDS: "dans environ {count} secondes",
    Phrase.IN_MINUTES: "dans environ {count} minutes",
    Phrase.RECALL_HEADING: "🔎 « {query} »{limits}",
    Phrase.RECALL_NOTHING: (
        "Je n’ai rien trouvé pour « {query} »{limits} dans ce que tu peux lire. Essaie d’autres mots, ou "
        "moins de limites."
    ),
    Phrase.RECALL_FROM: "de {who}",
    Phrase.RECALL_IN: "dans {place}",
    Phrase.RECALL_BEFORE: "avant le {day}",
    Phrase.RECALL_AFTER: "depuis le {day}",
    Phrase.RECALL_SHOW: "voir",
    Phrase.RECALL_GONE: "Ce qui était sur cette page n’existe plus, ou tu ne peux plus le lire.",
    Phrase.RECALL_NO_WORDS: "Que dois-je chercher ? Donne-moi des mots, un nom, un jour ou une question entière.",
    Phrase.RECALL_NO_PLACE: (
        "Il n’y a ici aucun salon de ce nom que tu puisses lire. Pendant que tu écris, je te propose "
        "ceux que tu peux lire."
    ),
    Phrase.RECALL_NO_DAY: (
        "Je ne comprends pas « {typed} » comme un jour. Essaie par exemple 2026-03-01, hier, la semaine "
        "dernière ou mars."
    ),
    Phrase.RECALL_NO_TIME: (
        "Rien n’a été dit avant le {before} et depuis le {after} : il n’y a pas de temps entre ces jours. À inverser ?"
    ),
    Phrase.UNDO: "Annuler",
    Phrase.EDIT: "Modifier",
    Phrase.NOT_ME: "Ce n’est pas moi",
    Phrase.NOT_TRUE: "C’est faux",
    Phrase.NOT_KEPT_AFTER_ALL: "Annulé : je ne garde pas ce qu’on m’a dit ici.",
    Phrase.HOLDS_AGAIN: "Annulé. Ceci est de nouveau valable :\n{facts}",
    Phrase.HOLDS_INSTEAD: "Ceci est de nouveau valable :\n{facts}",
    Phrase.SAYS_AGAIN: "Annulé. Je le garde tel qu’il était :\n{facts}",
    Phrase.AS_IT_WAS: "Annulé : tout est comme avant.",
    Phrase.CHANGED_SINCE: "Rien n’a été annulé : cela a changé depuis.",
    Phrase.HOLDS_NOW: "Ceci est valable maintenant :\n{facts}",
    Phrase.NOTHING_TO_UNDO: "Il n’y a plus rien à annuler ici : c’est déjà fait, ou cela date de plus d’un jour.",
    Phrase.ONLY_THEY_MAY: "Rien n’a changé. Seul(e) {who} peut le faire.",
    Phrase.NOBODY_MAY: "Rien n’a changé : il s’agit du serveur, donc personne n’est visé.",
    Phrase.OR: "{first} ou {last}",
    Phrase.WHO_TOLD: "la personne qui me l’a dit",
    Phrase.WHO_IS_MEANT: "la personne concernée",
    Phrase.WHO_DID_IT: "la personne qui l’a fait",
    Phrase.WHO_MODERATES: "une personne qui modère ce serveur",
    Phrase.WHO_MANAGES: "une personne qui gère le serveur",
    Phrase.VETOED_NOT_ME: "{name} dit qu’il s’agit de quelqu’un d’autre, donc je ne garde pas cela à son sujet.",
    Phrase.VETOED_NOT_TRUE: "{name} dit que c’est faux, donc je ne le garde pas.",
    Phrase.EDIT_TITLE: "En d’autres termes",
    Phrase.EDIT_FIELD: "Que dois-je retenir ?",
    Phrase.EDITED: "Modifié. Je retiens à propos de {name} : {fact}",
    Phrase.EDITED_ABOUT_SERVER: "Modifié. Je retiens à propos de ce serveur : {fact}",
    Phrase.EDITED_UNSAID: "Modifié.",
    Phrase.ABOUT_SOMEBODY_ELSE: (
        "En ces termes, il s’agirait de quelqu’un d’autre, donc rien n’a changé. Annule-le et redis-le-moi."
    ),
    Phrase.SAYS_SO_ALREADY: "C’est déjà ce qui est noté ; rien n’a changé.",
    Phrase.NOTHING_TO_EDIT: (
        "Cela ne peut plus être modifié : je ne le garde plus, ou cela date de plus d’un jour. Redis-le-moi."
    ),
    Phrase.NOT_ABOUT_OTHERS: (
        "Je ne l’ai pas retenu : ceux qui gèrent ce serveur ont décidé que je ne garde rien de ce que les membres me "
        "disent des autres. {name} peut me le dire : « {bot} retiens que je … »"
    ),
    Phrase.SUBJECT_OPTED_OUT: (
        "Je ne l’ai pas retenu : il est question de quelqu’un qui ne veut pas que je garde quoi que ce soit "
        "à son sujet ici."
    ),
    Phrase.YOU_OPTED_OUT: (
        "Je ne l’ai pas retenu : tu as demandé que je ne garde rien de toi. Avec `/privacy opt-in`, je le "
        "pourrai de nouveau."
    ),
    Phrase.DENIED_BEFORE: (
        "Je ne l’ai pas retenu : {name} m’a dit que ce n’est pas vrai. Seul ce membre peut me le dire."
    ),
    Phrase.SOURCES_CHANGE: (
        "Ce que j’allais dire vient de quelque chose qui est en train d’être supprimé ou modifié."
        " Repose-moi la question dans un instant."
    ),
    Phrase.TAKEN_BACK: (
        "J’ai retiré cette réponse : quelque chose dont elle était faite a été supprimé ou modifié depuis."
    ),
    Phrase.NOT_FOR_ALL: (
        "J’ai retiré cette réponse : tous ceux qui la voient maintenant ne pouvaient pas lire ce dont elle était faite."
    ),
}
