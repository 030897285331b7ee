"""What is said in French about the facts that are held about members, and who did what to them."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.MEMORY_OF_YOU: "**Ce que je sais de toi**",
    Notice.MEMORY_OF: "**Ce que je sais de {name}, autant que tu peux le lire**",
    Notice.MEMORY_NONE_OF_YOU: "Je ne sais rien de toi qui ait été dit là où tu peux lire.",
    Notice.MEMORY_NONE_OF: "Je ne sais rien de {name} que tu puisses entendre.",
    Notice.MEMORY_PAGE: "Page {page} sur {pages}",
    Notice.MEMORY_CHOOSE: "Choisis un numéro pour agir dessus.",
    Notice.SAID_BY_YOU: "dit par toi",
    Notice.SAID_BY: "dit par {name}",
    Notice.CONFIRMED_BY_YOU: "dit par {teller}, et tu l’as confirmé",
    Notice.CONFIRMED_BY: "dit par {teller}, et {name} l’a confirmé",
    Notice.TOLD_BY: "selon {teller}",
    Notice.SINCE: "depuis le {when}",
    Notice.UNTIL: "jusqu’au {when}",
    Notice.MESSAGE_LINK: "le message",
    Notice.MAY_BE_KNOWN: "tout le monde peut le savoir",
    Notice.WITHHELD: "n’est dit à personne d’autre : ce serveur ne veut rien qu’on dise des autres",
    Notice.ACT_CONFIRM: "Confirmer",
    Notice.ACT_CORRECT: "Corriger",
    Notice.ACT_FORGET: "Oublier",
    Notice.ACT_BACK: "Retour",
    Notice.DONE_CONFIRM: "Confirmé. Désormais, c’est ta propre parole : {fact}",
    Notice.DONE_CORRECT: "Corrigé. Je garde maintenant tes propres mots : {fact}",
    Notice.DONE_VETO: "Parti. Je ne le garde pas, et personne d’autre ne peut me le redire de toi.",
    Notice.DONE_NOT_ME: (
        "Parti de ce que je sais de toi, et personne ne peut me le redire de toi. Il reste pour les autres "
        "dont il parle."
    ),
    Notice.DONE_FORGET: "Oublié.",
    Notice.DONE_BEFORE: "C’était déjà ainsi ; rien n’a changé.",
    Notice.DONE_UNSAID: "C’est fait.",
    Notice.CORRECT_TITLE: "Avec tes propres mots",
    Notice.CORRECT_FIELD: "Qu’est-ce qui est vrai ?",
    Notice.AUDIT_TITLE: "**Qui a regardé ou changé ce que je sais des autres**",
    Notice.AUDIT_TITLE_OF: "**Qui a regardé ou changé ce que je sais de {name}**",
    Notice.AUDIT_NONE: "Rien de tel n’a été noté ces 365 derniers jours.",
    Notice.AUDIT_THE_SERVER: "le serveur",
    Notice.DEED_LOOKED: "a regardé",
    Notice.DEED_TOLD: "m’a dit quelque chose",
    Notice.DEED_REPLACED: "a remplacé quelque chose",
    Notice.DEED_FORGOT: "a fait oublier quelque chose",
    Notice.DEED_EDITED: "a reformulé quelque chose",
    Notice.DEED_UNDID: "a annulé quelque chose",
    Notice.DEED_VETOED: "a démenti quelque chose",
    Notice.DEED_SHOWED_CHANNEL: "a regardé un salon",
    Notice.DEED_EXPORTED_CHANNEL: "a exporté un salon",
    Notice.DEED_ERASED_CHANNEL: "a effacé un salon",
    Notice.DEED_CHANGED_KEEPING: "a décidé à nouveau de ce qui est gardé",
    Notice.FACT_RULES: (
        "• Dit par les membres sur d’autres : {about_others}\n"
        "• Modérateurs, pouvoir sur les faits d’autrui : {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "gardé",
    Notice.ABOUT_OTHERS_NO: "ni gardé ni répété",
    Notice.MODERATORS_NOTHING: "rien",
    Notice.MODERATORS_REMOVE: "les faire oublier",
}
