"""What is said in French about what is held, to whom it belongs, and its end."""

from bot.notices.notice import Notice

NOTICES = {
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
