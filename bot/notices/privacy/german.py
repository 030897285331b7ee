"""What is said in German about what is held, to whom it belongs, and its end."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.OPT_OUT_ASK: (
        "Soll ich auf diesem Server nichts mehr von dir speichern und entfernen, was ich habe? Deine Nachrichten "
        "gehen, meine Antworten darauf, was du mir über dich gesagt hast und was andere mir über dich gesagt haben. "
        "Das lässt sich nicht rückgängig machen. Was du mir über andere gesagt hast, bleibt.\n"
        "Deine Nachrichten auf Discord bleiben, wie sie sind. Eine Kopie gibt dir vorher `/privacy export`."
    ),
    Notice.OPT_OUT_YES: "Nichts speichern, alles entfernen",
    Notice.NOT_OPTED_OUT: "Es wurde nichts geändert: Du wirst gespeichert wie bisher.",
    Notice.OPTED_OUT: (
        "Ab jetzt speichere ich nichts mehr, was du auf diesem Server schreibst, und nichts, was andere mir über dich "
        "sagen; dein Name sagt mir nichts mehr. Wenn du mich ansprichst, antworte ich weiterhin, behalte davon aber "
        "nichts. Was ich hatte, ist entfernt:"
    ),
    Notice.OPTED_OUT_NEXT: (
        "Was du mir über andere gesagt hast, bleibt. Um auch das entfernen zu lassen, nutze `/privacy erase`; um "
        "wieder gespeichert zu werden, `/privacy opt-in`."
    ),
    Notice.OPTED_IN: (
        "Ab jetzt speichere ich, was du auf diesem Server schreibst, soweit ich es lesen kann, und was andere mir über "
        "dich sagen. Um das zu beenden, nutze `/privacy opt-out`; um es entfernen zu lassen, `/privacy erase`."
    ),
    Notice.ERASE_ASK: (
        "Soll ich löschen, was ich auf diesem Server von dir habe? Deine Nachrichten gehen, meine Antworten "
        "darauf, was du mir gesagt hast und was andere mir über dich gesagt haben. Das lässt sich nicht rückgängig "
        "machen, und nichts davon kommt wieder.\nDeine Nachrichten auf Discord bleiben, wie sie sind. Was du ab "
        "jetzt schreibst, wird wieder gespeichert, außer du nutzt auch `/privacy opt-out`. Eine Kopie gibt dir vorher "
        "`/privacy export`."
    ),
    Notice.ERASE_YES: "Alles löschen",
    Notice.ERASE_NO: "Behalten",
    Notice.ERASED: "Gelöscht.",
    Notice.ERASED_NOTHING: "Es gab nichts zu löschen.",
    Notice.NOT_ERASED: "Es wurde nichts gelöscht.",
    Notice.ERASING: (
        "Lösche: {done} von {total} Nachrichten …\n"
        "-# Es ist entschieden: Werde ich unterbrochen, geht der Rest von selbst, und nichts kommt wieder."
    ),
    Notice.ERASING_GOES_ON: (
        "Das dauert länger, als Discord mich hier berichten lässt. Es geht von selbst weiter; sieh bitte später nach."
    ),
    Notice.ERASE_BROKE_OFF: (
        "Mittendrin, nach {done} von {total} Nachrichten, war mein Gedächtnis nicht mehr erreichbar. Es ist trotzdem "
        "entschieden: Der Rest geht von selbst, in der Regel binnen einer Stunde, und nichts kommt wieder."
    ),
    Notice.TAKING_BACK: "Meine Antworten auf Discord, die daraus gemacht waren ({count}), nehme ich gerade zurück.",
    Notice.GONE_YOUR_MESSAGES: "deine Nachrichten",
    Notice.GONE_MESSAGES: "Nachrichten",
    Notice.GONE_REPLIES: "meine Antworten darauf oder daraus",
    Notice.GONE_EARLY_EDITS: "Änderungen, die auf ihre Nachricht warteten",
    Notice.GONE_ADDRESSED: "Vermerke, dass etwas zu mir gesagt wurde",
    Notice.GONE_YOUR_FACTS: "was du mir gesagt hast",
    Notice.GONE_FACTS_OF_YOURSELF: "was du mir über dich gesagt hast",
    Notice.GONE_FACTS: "gemerkte Dinge",
    Notice.GONE_OF_OTHERS: (
        "Fort ist auch, was andere mir über dich gesagt haben, wo immer das war, und was ich aus alldem gemacht "
        "hatte. Meine Antworten auf Discord, die es wiederholen, nehme ich gerade zurück."
    ),
    Notice.GONE_FACTS_FROM: "aus diesen Nachrichten Gemerktes",
    Notice.GONE_FACTS_REPLACED: "Älteres, das davon abgelöst war",
    Notice.GONE_SUMMARIES: "Zusammenfassungen",
    Notice.GONE_CONTEXTS: "daraus gefügte Texte",
    Notice.GONE_VETOES: "Vermerke, was nicht stimmt",
    Notice.GONE_CHANGES: "Änderungen, die rückgängig zu machen waren",
    Notice.GONE_RECEIPTS: "Belege meiner Antworten",
    Notice.GONE_AUDIT: "Zeilen des Prüfprotokolls",
    Notice.GONE_NAMES: "Namen",
    Notice.HELD_TITLE: "**Was ich auf diesem Server von dir habe**",
    Notice.HELD_NOTHING: "Nichts.",
    Notice.HELD_MESSAGES: "deine Nachrichten",
    Notice.HELD_EARLY_EDITS: "Änderungen, die auf ihre Nachricht warten",
    Notice.HELD_FACTS_TOLD: "was du mir gesagt hast",
    Notice.HELD_FACTS_ABOUT: "was andere mir über dich gesagt haben",
    Notice.HELD_FACTS_HERE: "dort gemerkte Dinge",
    Notice.HELD_DAYS: "zusammengefasste Tage",
    Notice.HELD_HISTORIES: "zusammengefasste Wochen",
    Notice.HELD_CONTEXTS: "aus alldem gefügte Texte",
    Notice.HELD_NAMES: "Namen, unter denen ich dich finde",
    Notice.HELD_RECEIPTS: "Belege meiner Antworten",
    Notice.HELD_CHANGES: "zum Rückgängigmachen aufbewahrt, höchstens einen Tag",
    Notice.HELD_VETOES: "Vermerke, was du für unwahr erklärt hast",
    Notice.HELD_SINCE: "seit {when}",
    Notice.HELD_SPAN: "{first} bis {last}",
    Notice.HELD_WITHHELD: "anderen nicht gesagt {count}",
    Notice.HELD_OVER: "nicht mehr gültig {count}",
    Notice.HELD_ELSEWHERE: (
        "-# Was andere mir über dich gesagt haben, wo du nicht mitlesen kannst, steht hier nicht, auch nicht, ob es "
        "etwas gibt. `/privacy erase` und `/privacy opt-out` erreichen es ebenso."
    ),
    Notice.DECIDED_TITLE: "**Was du entschieden hast**",
    Notice.DECIDED_STORED: "nichts; auf diesem Server wird gespeichert, wer nicht widerspricht",
    Notice.DECIDED_NOT_STORED: "nichts; auf diesem Server wird nur gespeichert, wer zugestimmt hat",
    Notice.DECIDED_IN: "gespeichert zu werden, {when}",
    Notice.DECIDED_OUT: "nicht gespeichert zu werden, {when}",
    Notice.DECIDED_ERASED: "zuletzt gelöscht {when}",
    Notice.LOOKS_TITLE: "**Wer es angesehen oder geändert hat**",
    Notice.LOOKS_NONE: "niemand außer dir",
    Notice.KEPT_TITLE: "**Wie lange es bleibt**",
    Notice.KEPT_EACH: "• Nachrichten: {messages}\n• Zusammenfassungen: {summaries}\n• Gemerktes: {facts}",
    Notice.NEXT_TITLE: "**Was du tun kannst**",
    Notice.NEXT_MINE: (
        "• `/privacy export`: alles als Datei\n"
        "• `/memory show`: jedes Gemerkte, zum Bestätigen, Berichtigen, Bestreiten oder Vergessen\n"
        "• `/privacy erase`: alles geht\n"
        "• `/privacy opt-out`: nichts mehr wird gespeichert, auch nichts über dich"
    ),
    Notice.EXPORT_LATE: (
        "Das dauert länger, als Discord mich hier antworten lässt. Frag bitte zu einer ruhigeren Zeit noch einmal."
    ),
    Notice.EXPORT_UNDER_WAY: (
        "Ich stelle noch die Datei zusammen, um die du vorhin gebeten hast. Sie kommt, sobald sie fertig ist; frag "
        "bitte dann noch einmal."
    ),
    Notice.EXPORT_PROGRESS: "Ich stelle zusammen: {done} von {total} Nachrichten …",
    Notice.EXPORT_READY: (
        "Hier ist alles, was ich auf diesem Server von dir habe, und woher es kommt. Nur du siehst das; verwirf die "
        "Nachricht, wenn du die Datei gesichert hast."
    ),
    Notice.EXPORT_READY_CHANNEL: (
        "Hier ist, was ich von {channel} und den Threads dort habe, soweit du es selbst lesen kannst. Nur du siehst "
        "das."
    ),
    Notice.EXPORT_PACKED: "-# Sie ist gepackt (gzip), weil Discord keine größere Datei annimmt.",
    Notice.EXPORT_PARTS: (
        "-# Sie ist gepackt und in {count} Teilen, weil Discord keine größere Datei annimmt. Der Reihe nach "
        "zusammengefügt sind sie eine `.json.gz`."
    ),
    Notice.EXPORT_ABOUT_ME: "Alles, was {bot} auf diesem Server von dir hat, und woher es kommt.",
    Notice.EXPORT_ABOUT_CHANNEL: (
        "Was {bot} von einem Kanal und seinen Threads hat, soweit es lesen kann, wer danach gefragt hat."
    ),
    Notice.EXPORT_ABOUT_ROOMS: (
        "Nicht darin steht, was andere über dich in Räumen gesagt haben, die du beim Fragen nicht lesen konntest, auch "
        "nicht, ob es etwas gibt; ein Kanal mit Altersbeschränkung zählt dazu, außer du fragst in einem solchen. "
        "/privacy erase und /privacy opt-out erreichen es ebenso."
    ),
    Notice.EXPORT_ABOUT_FORM: (
        "Zeiten sind UTC, Ids sind die von Discord, und ein Link steht da, wo du ihn öffnen kannst."
    ),
    Notice.NOT_KNOWN_YET: (
        "Ich sehe gerade nicht, wer was lesen kann, und kann also nicht sagen, was davon du lesen darfst. Versuch es "
        "bitte in einer Minute noch einmal."
    ),
    Notice.READS_CHANGED: "Was du lesen kannst, hat sich gerade geändert. Nutze den Befehl bitte noch einmal.",
    Notice.CHANNEL_TITLE: "**Was ich von {channel} und den Threads dort habe**",
    Notice.CHANNEL_CLOSED: (
        "Von hier aus kannst du {channel} selbst nicht nachlesen, also zeige ich nicht, was ich davon habe, und gebe "
        "es nicht heraus. `/channel-memory erase` geht trotzdem."
    ),
    Notice.CHANNEL_NEXT: (
        "• `/channel-memory export`: alles als Datei\n"
        "• `/channel-memory erase`: alles geht\n"
        "• `/settings log exclude-channel`: nichts mehr davon wird gespeichert"
    ),
    Notice.CHANNEL_ERASE_ASK: (
        "Soll ich alles löschen, was ich von {channel} und den Threads dort habe? Was dort gesagt wurde, geht bei mir "
        "für alle, mit dem dort Gemerkten und allem, was daraus gemacht wurde. Das lässt sich nicht rückgängig machen, "
        "und nichts davon kommt wieder.\nDie Nachrichten auf Discord bleiben, wie sie sind. Was dort ab jetzt "
        "geschrieben wird, wird wieder gespeichert, außer du nutzt auch `/settings log exclude-channel`."
    ),
    Notice.CHANNEL_GONE: "Von {channel} und den Threads dort:",
    Notice.LEAVE_ASK: (
        "Soll ich **alles** löschen, was ich von **{server}** habe, und den Server verlassen? Nachrichten, Gemerktes, "
        "Zusammenfassungen, Einstellungen: Alles geht sofort, für alle, und ist nicht zurückzuholen. Werde ich "
        "stattdessen nur vom Server entfernt, bewahre ich es sieben Tage auf."
    ),
    Notice.LEAVE_YES: "Alles löschen, {server} verlassen",
    Notice.LEAVE_NO: "Bleiben",
    Notice.LEAVE_STAYS: "Ich bleibe, und es wurde nichts gelöscht.",
    Notice.LEAVE_ERASED: "Von **{server}** für immer gelöscht:",
    Notice.LEAVE_GOODBYE: "Ich gehe jetzt. Auf Wiedersehen.",
    Notice.LEAVE_NOT_LET: (
        "Alles ist gelöscht, aber Discord hat mich nicht gehen lassen. Entferne mich bitte in den "
        "Servereinstellungen: Solange ich hier bin, speichere ich wieder, was geschrieben wird."
    ),
}
