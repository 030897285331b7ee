"""The notices in French."""

from bot.words.keys import Notice, Phrase

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


# What is said in French about the facts that are held about members, and who did what to them.


MEMORY_NOTICES = {
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
    Notice.ACT_REMOVE: "Retirer",
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
    Notice.SECOND_LOOK: "• Quand il manque quelque chose au modèle de langue : {wanted}",
    Notice.SECOND_LOOK_YES: "je cherche encore une fois et je l’interroge à nouveau",
    Notice.SECOND_LOOK_NO: "je ne l’interroge qu’une fois",
}


# What is said in French about what is held, to whom it belongs, and its end.


PRIVACY_NOTICES = {
    Notice.OPT_OUT_ASK: (
        "Dois-je ne plus rien enregistrer de toi sur ce serveur et supprimer ce que j’ai ? Tes messages disparaissent, "
        "mes réponses, ce que tu m’as dit de toi et ce que d’autres m’ont dit de toi. C’est irréversible. Ce que tu "
        "m’as dit des autres reste.\n"
        "Tes messages sur Discord restent tels quels. `/privacy export` t’en donne d’abord une copie."
    ),
    Notice.OPT_OUT_YES: "Ne rien garder et supprimer",
    Notice.NOT_OPTED_OUT: "Rien n’a été changé : tu es enregistré comme avant.",
    Notice.OPTED_OUT: (
        "Désormais, je n’enregistre plus rien de ce que tu écris sur ce serveur, ni rien de ce que d’autres me disent "
        "de toi ; ton nom ne me dit plus rien. Si tu me parles, je réponds toujours, sans rien en garder. J’ai "
        "supprimé ce que j’avais :"
    ),
    Notice.OPTED_OUT_NEXT: (
        "Ce que tu m’as dit des autres reste. Pour le faire supprimer aussi, utilise `/privacy erase` ; pour être de "
        "nouveau enregistré, `/privacy opt-in`."
    ),
    Notice.OPTED_IN: (
        "Désormais, j’enregistre ce que tu écris sur ce serveur, là où je peux le lire, et ce que d’autres me disent "
        "de toi. Pour arrêter, utilise `/privacy opt-out` ; pour le faire supprimer, `/privacy erase`."
    ),
    Notice.ERASE_ASK: (
        "Dois-je effacer ce que j’ai de toi sur ce serveur ? Tes messages disparaissent, mes réponses, ce que tu "
        "m’as confié et ce que d’autres m’ont dit de toi. C’est irréversible, et rien n’en reviendra.\n"
        "Tes messages sur Discord restent tels quels. Ce que tu écris à partir de maintenant est de nouveau "
        "enregistré, sauf si tu utilises aussi `/privacy opt-out`. `/privacy export` t’en donne d’abord une copie."
    ),
    Notice.ERASE_YES: "Tout effacer",
    Notice.ERASE_NO: "Garder",
    Notice.ERASED: "Effacé.",
    Notice.ERASED_NOTHING: "Il n’y avait rien à effacer.",
    Notice.NOT_ERASED: "Rien n’a été effacé.",
    Notice.ERASING: (
        "J’efface : {done} messages sur {total} …\n"
        "-# C’est décidé : si je suis interrompu, le reste part tout seul, et rien ne revient."
    ),
    Notice.ERASING_GOES_ON: (
        "Cela dure plus longtemps que Discord ne me laisse en parler ici. Cela continue tout seul ; reviens voir plus "
        "tard."
    ),
    Notice.ERASE_BROKE_OFF: (
        "En chemin, après {done} messages sur {total}, je n’atteignais plus ma mémoire. C’est décidé quand même : le "
        "reste part tout seul, en général dans l’heure, et rien ne revient."
    ),
    Notice.TAKING_BACK: "Je reprends en ce moment mes réponses sur Discord qui en étaient faites ({count}).",
    Notice.GONE_YOUR_MESSAGES: "tes messages",
    Notice.GONE_MESSAGES: "les messages",
    Notice.GONE_REPLIES: "mes réponses à cela ou tirées de cela",
    Notice.GONE_EARLY_EDITS: "modifications qui attendaient leur message",
    Notice.GONE_ADDRESSED: "notes qu’on m’avait parlé",
    Notice.GONE_YOUR_FACTS: "ce que tu m’as dit",
    Notice.GONE_FACTS_OF_YOURSELF: "ce que tu m’as dit de toi",
    Notice.GONE_FACTS: "faits retenus",
    Notice.GONE_OF_OTHERS: (
        "Ce que d’autres m’ont dit de toi a disparu aussi, où que ce fût, tout comme ce que j’en avais tiré. Je "
        "reprends en ce moment mes réponses sur Discord qui le répètent."
    ),
    Notice.GONE_FACTS_FROM: "faits tirés de ces messages",
    Notice.GONE_FACTS_REPLACED: "faits plus anciens que ceux-ci avaient remplacés",
    Notice.GONE_SUMMARIES: "résumés",
    Notice.GONE_CONTEXTS: "textes qui en étaient tirés",
    Notice.GONE_VETOES: "notes de ce qui n’est pas vrai",
    Notice.GONE_CHANGES: "changements qu’on pouvait annuler",
    Notice.GONE_RECEIPTS: "justificatifs de mes réponses",
    Notice.GONE_AUDIT: "lignes du journal de contrôle",
    Notice.GONE_NAMES: "noms",
    Notice.HELD_TITLE: "**Ce que j’ai de toi sur ce serveur**",
    Notice.HELD_NOTHING: "Rien.",
    Notice.HELD_MESSAGES: "tes messages",
    Notice.HELD_EARLY_EDITS: "modifications qui attendent leur message",
    Notice.HELD_FACTS_TOLD: "ce que tu m’as dit",
    Notice.HELD_FACTS_ABOUT: "ce que d’autres m’ont dit de toi",
    Notice.HELD_FACTS_HERE: "faits racontés là",
    Notice.HELD_DAYS: "jours résumés",
    Notice.HELD_HISTORIES: "semaines résumées",
    Notice.HELD_CONTEXTS: "textes tirés de tout cela",
    Notice.HELD_NAMES: "noms sous lesquels je te trouve",
    Notice.HELD_RECEIPTS: "justificatifs de mes réponses",
    Notice.HELD_CHANGES: "textes gardés pour annuler, un jour au plus",
    Notice.HELD_VETOES: "notes de ce que tu as dit n’être pas vrai",
    Notice.HELD_SINCE: "depuis le {when}",
    Notice.HELD_SPAN: "du {first} au {last}",
    Notice.HELD_WITHHELD: "dont non dits à d’autres {count}",
    Notice.HELD_OVER: "dont dépassés {count}",
    Notice.HELD_ELSEWHERE: (
        "-# Ce que d’autres m’ont dit de toi là où tu ne peux pas lire n’est pas compté, ni même s’il y en a. "
        "`/privacy erase` et `/privacy opt-out` l’atteignent aussi."
    ),
    Notice.DECIDED_TITLE: "**Ce que tu as décidé**",
    Notice.DECIDED_STORED: "rien ; ce serveur fait enregistrer tous ceux qui ne refusent pas",
    Notice.DECIDED_NOT_STORED: "rien ; ce serveur ne fait enregistrer que ceux qui acceptent",
    Notice.DECIDED_IN: "d’être enregistré, {when}",
    Notice.DECIDED_OUT: "de ne pas être enregistré, {when}",
    Notice.DECIDED_ERASED: "effacé pour la dernière fois {when}",
    Notice.LOOKS_TITLE: "**Qui l’a regardé ou changé**",
    Notice.LOOKS_NONE: "personne d’autre que toi",
    Notice.KEPT_TITLE: "**Combien de temps**",
    Notice.KEPT_EACH: "• messages : {messages}\n• résumés : {summaries}\n• faits : {facts}",
    Notice.NEXT_TITLE: "**Ce que tu peux faire**",
    Notice.NEXT_MINE: (
        "• `/privacy export` : tout dans un fichier\n"
        "• `/memory show` : chaque fait, à confirmer, corriger, contester ou faire oublier\n"
        "• `/privacy erase` : tout disparaît\n"
        "• `/privacy opt-out` : plus rien n’est enregistré, ni à ton sujet"
    ),
    Notice.EXPORT_LATE: (
        "Cela dure plus longtemps que Discord ne me laisse répondre ici. Redemande à un moment plus calme."
    ),
    Notice.EXPORT_UNDER_WAY: (
        "Je rassemble encore le fichier que tu as demandé avant. Il arrive dès qu’il est prêt ; redemande "
        "à ce moment-là."
    ),
    Notice.EXPORT_PROGRESS: "Je rassemble : {done} messages sur {total} …",
    Notice.EXPORT_READY: (
        "Voici tout ce que j’ai de toi sur ce serveur, et d’où cela vient. Toi seul le vois ; ferme ce message quand "
        "tu as enregistré le fichier."
    ),
    Notice.EXPORT_READY_CHANNEL: (
        "Voici ce que j’ai de {channel} et de ses fils, pour autant que tu puisses le lire. Toi seul le vois."
    ),
    Notice.EXPORT_PACKED: "-# Il est compressé (gzip), car Discord n’accepte pas de fichier plus grand.",
    Notice.EXPORT_PARTS: (
        "-# Il est compressé et en {count} parties, car Discord n’accepte pas de fichier plus grand. Mises bout à bout "
        "dans l’ordre, elles forment un `.json.gz`."
    ),
    Notice.EXPORT_ABOUT_ME: "Tout ce que {bot} a de toi sur ce serveur, et d’où cela vient.",
    Notice.EXPORT_ABOUT_CHANNEL: (
        "Ce que {bot} a d’un salon et de ses fils, pour autant que la personne qui l’a demandé puisse le lire."
    ),
    Notice.EXPORT_ABOUT_ROOMS: (
        "N’y figure pas ce que d’autres ont dit de toi dans des salons que tu ne pouvais pas lire en demandant, ni "
        "même s’il y en a ; un salon réservé à un âge en est un, sauf si tu demandes dans un tel salon. "
        "/privacy erase et /privacy opt-out l’atteignent aussi."
    ),
    Notice.EXPORT_ABOUT_FORM: (
        "Les heures sont en UTC, les identifiants ceux de Discord, et un lien figure là où tu peux l’ouvrir."
    ),
    Notice.NOT_KNOWN_YET: (
        "Je ne vois pas en ce moment qui peut lire quoi, je ne peux donc pas dire ce que tu as le droit de lire. "
        "Réessaie dans une minute."
    ),
    Notice.READS_CHANGED: "Ce que tu peux lire vient de changer. Utilise la commande encore une fois.",
    Notice.CHANNEL_TITLE: "**Ce que j’ai de {channel} et de ses fils**",
    Notice.CHANNEL_CLOSED: (
        "D’ici, tu ne peux pas relire {channel} toi-même ; je ne montre donc pas ce que j’en ai et ne le donne pas. "
        "`/channel-memory erase` marche quand même."
    ),
    Notice.CHANNEL_NEXT: (
        "• `/channel-memory export` : tout dans un fichier\n"
        "• `/channel-memory erase` : tout disparaît\n"
        "• `/settings log exclude-channel` : plus rien n’en est enregistré"
    ),
    Notice.CHANNEL_ERASE_ASK: (
        "Dois-je effacer tout ce que j’ai de {channel} et de ses fils ? Ce qui y a été dit disparaît chez moi pour "
        "tout le monde, avec les faits racontés là et tout ce qui en a été tiré. C’est irréversible, et rien n’en "
        "reviendra.\nLes messages sur Discord restent tels quels. Ce qui s’y écrit à partir de maintenant est de "
        "nouveau enregistré, sauf si tu utilises aussi `/settings log exclude-channel`."
    ),
    Notice.CHANNEL_GONE: "De {channel} et de ses fils :",
    Notice.LEAVE_ASK: (
        "Dois-je effacer **tout** ce que j’ai de **{server}** et quitter le serveur ? Messages, faits, résumés, "
        "réglages : tout disparaît aussitôt, pour tout le monde, sans retour possible. Si l’on me retire seulement du "
        "serveur, je le garde sept jours."
    ),
    Notice.LEAVE_YES: "Tout effacer, quitter {server}",
    Notice.LEAVE_NO: "Rester",
    Notice.LEAVE_STAYS: "Je reste, et rien n’a été effacé.",
    Notice.LEAVE_ERASED: "De **{server}**, effacé pour toujours :",
    Notice.LEAVE_GOODBYE: "Je pars maintenant. Au revoir.",
    Notice.LEAVE_NOT_LET: (
        "Tout est effacé, mais Discord ne m’a pas laissé partir. Retire-moi dans les paramètres du serveur : tant que "
        "je suis là, j’enregistre de nouveau ce qui s’écrit."
    ),
}


# The bot's sentences in French.


PHRASES = {
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
