"""The notices in French."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.NOT_DONE: (
        "Je ne peux pas atteindre ma mémoire en ce moment, rien n’a donc été changé. Réessaie dans un instant."
    ),
    Notice.ONLY_MANAGERS: "Seules les personnes qui gèrent ce serveur peuvent changer cela.",
    Notice.LOG_SETTINGS: (
        "**Le journal de ce serveur**\n• Sont enregistrés : {consent}\n• Conservation des messages : {kept}\n"
        "• Conservation des résumés : {summaries}\n"
        "• Conservation des faits retenus : {facts}\n"
        "• Salons non enregistrés : {channels}\n• Rôles non enregistrés : {roles}"
    ),
    Notice.LOG_CLEANED: "Supprimé, car cela ne doit plus être conservé : {what}",
    Notice.SO_MANY_MESSAGES: "{count} message(s)",
    Notice.SO_MANY_FACTS: "{count} fait(s)",
    Notice.CONSENT_OPT_OUT: "tous ceux qui n’ont pas utilisé `/privacy opt-out`",
    Notice.CONSENT_OPT_IN: "seulement ceux qui ont utilisé `/privacy opt-in`",
    Notice.KEPT_FOREVER: "jusqu’à la suppression",
    Notice.KEPT_DAYS: "pendant {days} jours",
    Notice.KEPT_UNTIL_FORGOTTEN: "jusqu’à l’oubli demandé",
    Notice.KEPT_AFTER_TELLING: "{days} jours après la dernière fois",
    Notice.NONE: "aucun",
    Notice.SETTINGS: (
        "**Réglages de ce serveur**\n"
        "• Fuseau horaire : {zone}\n"
        "• La salle commune : ce que peuvent lire tous ceux qui ont {hall}\n"
        "• Où je réponds : {speaks}"
    ),
    Notice.SPEAKS_EVERYWHERE: "partout où je peux écrire",
    Notice.AND_MORE: "{listed} et {count} de plus",
    Notice.SET_UP_ON: "-# Configuré {when}",
    Notice.SETUP_SUGGESTED: (
        "Personne ne m'a encore configuré sur ce serveur. `/innkeeper setup` le fait en deux minutes et finit par "
        "un avis pour vos membres."
    ),
    Notice.REMOVAL_ASK: "⚠️ Cela retire définitivement : {what}. Dois-je le faire ?",
    Notice.REMOVAL_YES: "Modifier et retirer",
    Notice.REMOVAL_NO: "Laisser tel quel",
    Notice.NOTHING_CHANGED: "Rien n'a été modifié.",
    Notice.CLEANED_LATER: (
        "Tout ce qui ne doit plus être dans le journal n'a pas pu être retiré maintenant ; le reste suivra de lui-même."
    ),
    Notice.ZONE_UNKNOWN: "« {typed} » n'est pas un fuseau horaire que je connais.",
    Notice.ZONE_NEAR: "Vouliez-vous dire {zones} ?",
    Notice.ZONE_HINT: "Essayez la grande ville la plus proche, comme Berlin ou New York.",
    Notice.SETUP_STEP: "-# Étape {number} sur {count}. Rien n'est modifié avant l'enregistrement à la fin.",
    Notice.SETUP_BACK: "Retour",
    Notice.SETUP_NEXT: "Suivant",
    Notice.SETUP_SKIP: "Passer",
    Notice.SETUP_CANCEL: "Annuler",
    Notice.SETUP_CANCELLED: "Rien n'a été modifié. `/innkeeper setup` recommence.",
    Notice.RAN_OUT: "Ceci a expiré, et rien n'a été modifié. Veuillez relancer la commande.",
    Notice.ZONE_TITLE: "Fuseau horaire",
    Notice.ZONE_WORDS: "Il décide quand un jour commence et finit dans ma mémoire, et ce que veut dire « hier ».",
    Notice.ZONE_CHOSEN: "Choisi : **{zone}** ({offset} ; il y est {time} maintenant)",
    Notice.ZONE_MENU: "Choisir un fuseau horaire",
    Notice.ZONE_TYPE: "En saisir un autre",
    Notice.ZONE_FIELD: "Une ville ou un fuseau, p. ex. Paris",
    Notice.HALL_TITLE: "La salle commune",
    Notice.HALL_WORDS: (
        "La salle commune réunit les salons que peuvent lire tous ceux qui ont un certain rôle. Ce qui s'y dit, je "
        "peux le leur répéter ; ce qui se dit ailleurs reste là où cela a été dit."
    ),
    Notice.HALL_OPENS: "Choisi : {role}. Personnes qui l'ont : {people}. Salons qu'il ouvre ({count}) : {channels}",
    Notice.HALL_OPENS_NOTHING: (
        "Choisi : {role}. Personnes qui l'ont : {people}. Aucun salon n'est lisible par tous : rien ne serait "
        "répété hors du lieu où cela a été dit."
    ),
    Notice.HALL_UNKNOWN: (
        "Choisi : {role}. Je ne vois pas encore qui peut lire quel salon et ne peux donc pas lister ce qu'il ouvre "
        "; d'ici là, tout reste là où cela a été dit."
    ),
    Notice.HALL_MENU: "Choisir un rôle",
    Notice.HALL_PROPOSED: "Ma proposition : {role}",
    Notice.EXCEPT_TITLE: "Ce qui n'est pas enregistré",
    Notice.EXCEPT_WORDS: (
        "Je n'enregistre rien de ces salons et de leurs fils, ni des membres qui ont l'un de ces rôles. Ce que "
        "j'en ai est retiré à l'enregistrement."
    ),
    Notice.EXCEPT_CHANNELS: "Salons non enregistrés",
    Notice.EXCEPT_ROLES: "Rôles non enregistrés",
    Notice.MENU_IS_FULL: (
        "Un menu ne contient pas plus de {shown} éléments ; le reste ne change pas et se modifie avec `/settings`."
    ),
    Notice.SPEAK_TITLE: "Où je réponds",
    Notice.SPEAK_WORDS: (
        "Je n'écris que dans ces salons. Ailleurs j'écoute et réponds à un appel par une réaction ; `/ask` marche "
        "partout. Aucun choisi : partout où je peux écrire."
    ),
    Notice.SPEAK_MENU: "Salons où je réponds",
    Notice.CONSENT_TITLE: "Qui est enregistré",
    Notice.CONSENT_WORDS: (
        "Chaque membre décide pour lui-même ; ceci vaut pour ceux qui n'ont rien dit. Si seuls ceux qui acceptent "
        "sont enregistrés, les messages de tous les autres sont retirés à l'enregistrement."
    ),
    Notice.CONSENT_MENU: "Choisir qui est enregistré",
    Notice.CONSENT_OUT: "Tous ceux qui n'ont pas refusé",
    Notice.CONSENT_OUT_HINT: "Enregistrés jusqu'à /privacy opt-out",
    Notice.CONSENT_IN: "Seulement ceux qui acceptent",
    Notice.CONSENT_IN_HINT: "Non enregistrés jusqu'à /privacy opt-in",
    Notice.SUMMARY_TITLE: "Récapitulatif",
    Notice.WILL_REMOVE: "⚠️ L'enregistrement retire définitivement : {what}.",
    Notice.WILL_REMOVE_SOME: (
        "⚠️ L'enregistrement retire du journal ce qui ne doit plus y être. Je ne peux pas le compter pour l'instant."
    ),
    Notice.NOTICE_WHERE: "**L'avis pour vos membres**, à publier dans {channel} :",
    Notice.NOTICE_NOWHERE: "**L'avis pour vos membres** ; choisissez ci-dessous où le publier :",
    Notice.NOTICE_MENU: "Où publier l'avis",
    Notice.NOTICE_MAY_NOT: (
        "⚠️ Je ne peux pas écrire dans {channel}. Donnez-moi « Voir le salon » et « Envoyer des messages », ou "
        "choisissez un autre salon."
    ),
    Notice.SAVE_AND_POST: "Enregistrer et publier l'avis",
    Notice.SAVE_ONLY: "Enregistrer sans avis",
    Notice.OVERTAKEN: (
        "⚠️ Quelqu'un a changé les réglages entre-temps ; rien n'est encore enregistré. Les voici, à relire."
    ),
    Notice.SAVED: "Enregistré. `/settings show` le montre, `/settings` le modifie.",
    Notice.NOTICE_POSTED: "L'avis est dans {channel}.",
    Notice.NOTICE_NOT_POSTED: (
        "L'avis n'a pas pu être publié dans {channel}. Donnez-moi « Voir le salon » et « Envoyer des messages » et "
        "relancez `/innkeeper setup`."
    ),
    Notice.HOUSE_NOTICE: (
        "**Je me souviens de ce serveur.** {stored} Je garde aussi ce qu'on me demande de retenir ({facts}). "
        "Ce qui se dit dans un salon privé n'est pas répété là où d'autres pourraient le lire, et ce qui est supprimé "
        "sur Discord l'est aussi ici.\n"
        "• `/privacy show` : ce que j'ai de vous ; `/privacy export` : tout dans un fichier ; `/privacy erase` : tout "
        "disparaît\n"
        "• `/privacy opt-out` : je n'enregistre rien de ce que vous écrivez ni à votre sujet, et ce que j'avais "
        "disparaît\n"
        "• `/innkeeper about` : comment me parler"
    ),
    Notice.HOUSE_STORES_ALL: "Je garde les messages des salons que je peux lire, {kept}.",
    Notice.HOUSE_STORES_AGREED: (
        "Je garde les messages de ceux qui acceptent avec `/privacy opt-in`, dans les salons que je peux lire, {kept}."
    ),
    Notice.USAGE_ONLY_MANAGERS: "Seuls ceux qui gèrent ce serveur peuvent voir cela.",
    Notice.USAGE_UNKNOWN: "Je ne peux pas consulter mes relevés pour l’instant. Réessaie dans un moment.",
    Notice.USAGE_TITLE: "**Utilisation des modèles sur ce serveur**",
    Notice.USAGE_NO_MODEL: (
        "Il n’y a pas de modèle de langue ici : je réponds par des citations, et rien n’est consommé."
    ),
    Notice.USAGE_BUDGET: (
        "Budget du jour : {spent} tokens utilisés sur {budget}, il en reste {left} %. Un nouveau jour commence {when}."
    ),
    Notice.USAGE_NO_BUDGET: "Il n’y a pas de budget quotidien.",
    Notice.USAGE_TODAY: "Aujourd’hui",
    Notice.USAGE_WEEK: "7 derniers jours",
    Notice.USAGE_MONTH: "30 derniers jours",
    Notice.USAGE_SUM: "{tokens} tokens en tout",
    Notice.USAGE_NOTHING: "rien",
    Notice.USAGE_CALLS: "appels {calls}",
    Notice.USAGE_FAILED: "échecs {failed}",
    Notice.USAGE_TOKENS: "tokens {tokens_in} envoyés, {tokens_out} reçus",
    Notice.USAGE_SECONDS: "{seconds} s chacun",
    Notice.USAGE_ANSWER: "réponses",
    Notice.USAGE_SUMMARISE: "résumés",
    Notice.USAGE_SMALL: "petites tâches",
    Notice.USAGE_EMBED: "vecteurs",
    Notice.USAGE_ESTIMATED: (
        "-# ~ est en partie estimé : tous les modèles ne disent pas combien de tokens ils ont pris."
    ),
    Notice.USAGE_VECTORS_APART: "-# Les vecteurs ne comptent pas dans le budget.",
    Notice.USAGE_NO_PRICE: "-# Aucun prix connu pour {models}. Qui me fait tourner peut l’indiquer (`MODEL_PRICES`).",
}
