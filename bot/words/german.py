"""The notices in German."""

from bot.words.keys import Notice, Phrase

NOTICES = {
    Notice.NOT_DONE: (
        "Ich erreiche mein Gedächtnis gerade nicht, es wurde also nichts geändert. Versuch es bitte gleich noch einmal."
    ),
    Notice.ONLY_MANAGERS: "Das darf nur ändern, wer diesen Server verwaltet.",
    Notice.LOG_SETTINGS: (
        "**Das Protokoll dieses Servers**\n• Gespeichert wird: {consent}\n• Nachrichten aufbewahrt: {kept}\n"
        "• Zusammenfassungen aufbewahrt: {summaries}\n"
        "• Gemerktes aufbewahrt: {facts}\n"
        "• Nicht gespeicherte Kanäle: {channels}\n• Nicht gespeicherte Rollen: {roles}"
    ),
    Notice.LOG_CLEANED: "Entfernt, weil es nicht mehr aufbewahrt werden darf: {what}",
    Notice.SO_MANY_MESSAGES: "{count} Nachrichten",
    Notice.SO_MANY_FACTS: "{count} gemerkte Dinge",
    Notice.CONSENT_OPT_OUT: "wer nicht `/privacy opt-out` genutzt hat",
    Notice.CONSENT_OPT_IN: "nur, wer `/privacy opt-in` genutzt hat",
    Notice.KEPT_FOREVER: "bis sie gelöscht werden",
    Notice.KEPT_DAYS: "{days} Tage lang",
    Notice.KEPT_UNTIL_FORGOTTEN: "bis ich es vergessen soll",
    Notice.KEPT_AFTER_TELLING: "{days} Tage ab dem letzten Mal",
    Notice.NONE: "keine",
    Notice.SETTINGS: (
        "**Einstellungen dieses Servers**\n"
        "• Zeitzone: {zone}\n"
        "• Die Halle: was alle mit {hall} lesen können\n"
        "• Wo ich antworte: {speaks}"
    ),
    Notice.SPEAKS_EVERYWHERE: "überall, wo ich schreiben darf",
    Notice.AND_MORE: "{listed} und {count} weitere",
    Notice.SET_UP_ON: "-# Eingerichtet {when}",
    Notice.SETUP_SUGGESTED: (
        "Auf diesem Server hat mich noch niemand eingerichtet. `/innkeeper setup` erledigt das in zwei Minuten und "
        "endet mit einem Hinweis für eure Mitglieder."
    ),
    Notice.REMOVAL_ASK: "⚠️ Damit wird endgültig entfernt: {what}. Soll ich?",
    Notice.REMOVAL_YES: "Ändern und entfernen",
    Notice.REMOVAL_NO: "So lassen, wie es ist",
    Notice.NOTHING_CHANGED: "Es wurde nichts geändert.",
    Notice.CLEANED_LATER: (
        "Nicht alles, was nicht mehr im Protokoll stehen darf, ließ sich jetzt entfernen; der Rest folgt von selbst."
    ),
    Notice.ZONE_UNKNOWN: "„{typed}“ ist keine Zeitzone, die ich kenne.",
    Notice.ZONE_NEAR: "Meintest du {zones}?",
    Notice.ZONE_HINT: "Versuche die nächste große Stadt, etwa Berlin oder New York.",
    Notice.SETUP_STEP: "-# Schritt {number} von {count}. Nichts wird geändert, bevor du am Ende speicherst.",
    Notice.SETUP_BACK: "Zurück",
    Notice.SETUP_NEXT: "Weiter",
    Notice.SETUP_SKIP: "Überspringen",
    Notice.SETUP_CANCEL: "Abbrechen",
    Notice.SETUP_CANCELLED: "Es wurde nichts geändert. `/innkeeper setup` beginnt von vorn.",
    Notice.RAN_OUT: "Das ist abgelaufen, und es wurde nichts geändert. Bitte nutze den Befehl noch einmal.",
    Notice.ZONE_TITLE: "Zeitzone",
    Notice.ZONE_WORDS: "Sie bestimmt, wann in meiner Erinnerung ein Tag beginnt und endet, und was „gestern“ heißt.",
    Notice.ZONE_CHOSEN: "Gewählt: **{zone}** ({offset}; dort ist es jetzt {time})",
    Notice.ZONE_MENU: "Zeitzone wählen",
    Notice.ZONE_TYPE: "Andere eingeben",
    Notice.ZONE_FIELD: "Stadt oder Zone, etwa Berlin",
    Notice.HALL_TITLE: "Die Halle",
    Notice.HALL_WORDS: (
        "Die Halle sind die Kanäle, die alle mit einer bestimmten Rolle lesen können. Was dort gesagt wird, darf "
        "ich ihnen wiederholen; was anderswo gesagt wird, bleibt dort."
    ),
    Notice.HALL_OPENS: "Gewählt: {role}. Personen mit ihr: {people}. Kanäle, die sie öffnet ({count}): {channels}",
    Notice.HALL_OPENS_NOTHING: (
        "Gewählt: {role}. Personen mit ihr: {people}. Keinen Kanal können sie alle lesen, also würde nichts "
        "außerhalb des Ortes wiederholt, an dem es gesagt wurde."
    ),
    Notice.HALL_UNKNOWN: (
        "Gewählt: {role}. Ich sehe noch nicht, wer welchen Kanal lesen kann, und kann nicht auflisten, was sie "
        "öffnet; bis dahin bleibt alles, wo es gesagt wurde."
    ),
    Notice.HALL_MENU: "Rolle wählen",
    Notice.HALL_PROPOSED: "Mein Vorschlag: {role}",
    Notice.EXCEPT_TITLE: "Was nicht gespeichert wird",
    Notice.EXCEPT_WORDS: (
        "Aus diesen Kanälen und ihren Threads speichere ich nichts, ebenso nichts von Mitgliedern mit einer dieser "
        "Rollen. Was ich davon habe, wird beim Speichern entfernt."
    ),
    Notice.EXCEPT_CHANNELS: "Kanäle, die nicht gespeichert werden",
    Notice.EXCEPT_ROLES: "Rollen, die nicht gespeichert werden",
    Notice.MENU_IS_FULL: (
        "Ein Menü fasst nicht mehr als {shown}; der Rest bleibt, wie er ist, und lässt sich mit `/settings` ändern."
    ),
    Notice.SPEAK_TITLE: "Wo ich antworte",
    Notice.SPEAK_WORDS: (
        "Ich schreibe nur in diesen Kanälen. Anderswo höre ich zu und antworte auf einen Ruf mit einer Reaktion; "
        "`/ask` geht überall. Keiner gewählt: überall, wo ich schreiben darf."
    ),
    Notice.SPEAK_MENU: "Kanäle, in denen ich antworte",
    Notice.CONSENT_TITLE: "Wer gespeichert wird",
    Notice.CONSENT_WORDS: (
        "Jedes Mitglied entscheidet selbst; dies gilt für alle, die nichts gesagt haben. Werden es nur die, die "
        "zustimmen, so werden die Nachrichten aller anderen beim Speichern entfernt."
    ),
    Notice.CONSENT_MENU: "Wählen, wer gespeichert wird",
    Notice.CONSENT_OUT: "Alle, die nicht widersprochen haben",
    Notice.CONSENT_OUT_HINT: "Gespeichert, bis sie /privacy opt-out nutzen",
    Notice.CONSENT_IN: "Nur, wer zustimmt",
    Notice.CONSENT_IN_HINT: "Nicht gespeichert, bis sie /privacy opt-in nutzen",
    Notice.SUMMARY_TITLE: "Zusammenfassung",
    Notice.WILL_REMOVE: "⚠️ Beim Speichern wird endgültig entfernt: {what}.",
    Notice.WILL_REMOVE_SOME: (
        "⚠️ Beim Speichern wird aus dem Protokoll entfernt, was dort nicht mehr stehen darf. Zählen kann ich es "
        "gerade nicht."
    ),
    Notice.NOTICE_WHERE: "**Der Hinweis für eure Mitglieder**, für {channel}:",
    Notice.NOTICE_NOWHERE: "**Der Hinweis für eure Mitglieder**; wähle unten, wo er stehen soll:",
    Notice.NOTICE_MENU: "Wo der Hinweis stehen soll",
    Notice.NOTICE_MAY_NOT: (
        "⚠️ In {channel} darf ich nicht schreiben. Gib mir dort „Kanal ansehen“ und „Nachrichten senden“ oder "
        "wähle einen anderen Kanal."
    ),
    Notice.SAVE_AND_POST: "Speichern und Hinweis posten",
    Notice.SAVE_ONLY: "Ohne Hinweis speichern",
    Notice.OVERTAKEN: (
        "⚠️ Inzwischen hat jemand die Einstellungen geändert; gespeichert ist noch nichts. So sähen sie jetzt aus, "
        "bitte prüfe sie."
    ),
    Notice.SAVED: "Gespeichert. `/settings show` zeigt es, `/settings` ändert es.",
    Notice.NOTICE_POSTED: "Der Hinweis steht in {channel}.",
    Notice.NOTICE_NOT_POSTED: (
        "Der Hinweis ließ sich in {channel} nicht posten. Gib mir dort „Kanal ansehen“ und „Nachrichten senden“ "
        "und nutze `/innkeeper setup` noch einmal."
    ),
    Notice.HOUSE_NOTICE: (
        "**Ich erinnere mich an diesen Server.** {stored} Dazu behalte ich, was man mich zu merken bittet ({facts}). "
        "Was in einem privaten Kanal gesagt wird, wiederhole ich nicht, wo andere es lesen könnten, und was auf "
        "Discord gelöscht wird, wird auch hier gelöscht.\n"
        "• `/privacy show`: was ich von dir habe; `/privacy export`: alles als Datei; `/privacy erase`: alles geht\n"
        "• `/privacy opt-out`: Ich speichere nichts, was du schreibst, und nichts über dich, und Gespeichertes geht\n"
        "• `/innkeeper about`: wie man mit mir spricht"
    ),
    Notice.HOUSE_STORES_ALL: "Ich behalte die Nachrichten der Kanäle, die ich lesen kann, {kept}.",
    Notice.HOUSE_STORES_AGREED: (
        "Ich behalte die Nachrichten derer, die mit `/privacy opt-in` zustimmen, in den Kanälen, die ich lesen "
        "kann, {kept}."
    ),
    Notice.USAGE_ONLY_MANAGERS: "Das dürfen nur die sehen, die diesen Server verwalten.",
    Notice.USAGE_UNKNOWN: "Ich kann gerade nicht in meine Aufzeichnungen schauen. Versuch es bitte gleich noch einmal.",
    Notice.USAGE_TITLE: "**Nutzung von Sprachmodellen auf diesem Server**",
    Notice.USAGE_NO_MODEL: "Hier gibt es kein Sprachmodell: Ich antworte mit Zitaten, und nichts wird verbraucht.",
    Notice.USAGE_BUDGET: (
        "Budget von heute: {spent} von {budget} Token verbraucht, {left} % übrig. Ein neuer Tag beginnt {when}."
    ),
    Notice.USAGE_NO_BUDGET: "Es gibt kein Tagesbudget.",
    Notice.USAGE_TODAY: "Heute",
    Notice.USAGE_WEEK: "Letzte 7 Tage",
    Notice.USAGE_MONTH: "Letzte 30 Tage",
    Notice.USAGE_SUM: "insgesamt {tokens} Token",
    Notice.USAGE_NOTHING: "nichts",
    Notice.USAGE_CALLS: "Aufrufe {calls}",
    Notice.USAGE_FAILED: "misslungen {failed}",
    Notice.USAGE_TOKENS: "Token {tokens_in} gesendet, {tokens_out} empfangen",
    Notice.USAGE_SECONDS: "je {seconds} s",
    Notice.USAGE_ANSWER: "Antworten",
    Notice.USAGE_SUMMARISE: "Zusammenfassungen",
    Notice.USAGE_SMALL: "kleine Aufgaben",
    Notice.USAGE_EMBED: "Vektoren",
    Notice.USAGE_ESTIMATED: "-# ~ ist zum Teil geschätzt: Nicht jedes Modell sagt, wie viele Token es gebraucht hat.",
    Notice.USAGE_VECTORS_APART: "-# Vektoren zählen nicht zum Budget.",
    Notice.USAGE_NO_PRICE: (
        "-# Für {models} ist kein Preis bekannt. Wer mich betreibt, kann ihn angeben (`MODEL_PRICES`)."
    ),
}


# What is said in German about the facts that are held about members, and who did what to them.


MEMORY_NOTICES = {
    Notice.MEMORY_OF_YOU: "**Was ich über dich weiß**",
    Notice.MEMORY_OF: "**Was ich über {name} weiß, soweit du es lesen kannst**",
    Notice.MEMORY_NONE_OF_YOU: "Über dich weiß ich nichts, was dort erzählt wurde, wo du lesen kannst.",
    Notice.MEMORY_NONE_OF: "Über {name} weiß ich nichts, was du hören darfst.",
    Notice.MEMORY_PAGE: "Seite {page} von {pages}",
    Notice.MEMORY_CHOOSE: "Wähle eine Nummer, um etwas damit zu tun.",
    Notice.SAID_BY_YOU: "von dir gesagt",
    Notice.SAID_BY: "von {name} selbst gesagt",
    Notice.CONFIRMED_BY_YOU: "{teller} sagt das, und du hast es bestätigt",
    Notice.CONFIRMED_BY: "{teller} sagt das, und {name} hat es bestätigt",
    Notice.TOLD_BY: "{teller} sagt das",
    Notice.SINCE: "seit {when}",
    Notice.UNTIL: "bis {when}",
    Notice.MESSAGE_LINK: "Nachricht",
    Notice.MAY_BE_KNOWN: "alle dürfen es wissen",
    Notice.WITHHELD: "wird sonst niemandem gesagt: Dieser Server will nichts über andere erzählt haben",
    Notice.ACT_CONFIRM: "Bestätigen",
    Notice.ACT_CORRECT: "Berichtigen",
    Notice.ACT_FORGET: "Vergessen",
    Notice.ACT_REMOVE: "Entfernen",
    Notice.ACT_BACK: "Zurück",
    Notice.DONE_CONFIRM: "Bestätigt. Von jetzt an steht es als dein eigenes Wort da: {fact}",
    Notice.DONE_CORRECT: "Berichtigt. Jetzt behalte ich deine eigenen Worte: {fact}",
    Notice.DONE_VETO: "Weg. Ich behalte es nicht, und niemand sonst kann mir dasselbe noch einmal über dich erzählen.",
    Notice.DONE_NOT_ME: (
        "Weg aus dem, was ich über dich weiß, und niemand kann mir dasselbe noch einmal über dich erzählen. "
        "Für andere, um die es auch geht, bleibt es."
    ),
    Notice.DONE_FORGET: "Vergessen.",
    Notice.DONE_BEFORE: "Das war schon so; nichts wurde geändert.",
    Notice.DONE_UNSAID: "Erledigt.",
    Notice.CORRECT_TITLE: "In deinen eigenen Worten",
    Notice.CORRECT_FIELD: "Was stimmt stattdessen?",
    Notice.AUDIT_TITLE: "**Wer angesehen oder geändert hat, was ich über andere weiß**",
    Notice.AUDIT_TITLE_OF: "**Wer angesehen oder geändert hat, was ich über {name} weiß**",
    Notice.AUDIT_NONE: "In den letzten 365 Tagen wurde nichts dergleichen aufgeschrieben.",
    Notice.AUDIT_THE_SERVER: "der Server",
    Notice.DEED_LOOKED: "hat nachgesehen",
    Notice.DEED_TOLD: "hat mir etwas erzählt",
    Notice.DEED_REPLACED: "hat etwas ersetzt",
    Notice.DEED_FORGOT: "hat etwas vergessen lassen",
    Notice.DEED_EDITED: "hat etwas anders ausgedrückt",
    Notice.DEED_UNDID: "hat etwas rückgängig gemacht",
    Notice.DEED_VETOED: "hat etwas bestritten",
    Notice.DEED_SHOWED_CHANNEL: "hat in einen Kanal gesehen",
    Notice.DEED_EXPORTED_CHANNEL: "hat einen Kanal exportiert",
    Notice.DEED_ERASED_CHANNEL: "hat einen Kanal gelöscht",
    Notice.DEED_CHANGED_KEEPING: "hat neu entschieden, was behalten wird",
    Notice.FACT_RULES: (
        "• Über andere Erzähltes: {about_others}\n• Was Moderatoren mit fremden Fakten dürfen: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "wird behalten",
    Notice.ABOUT_OTHERS_NO: "wird nicht behalten und nicht erzählt",
    Notice.MODERATORS_NOTHING: "nichts",
    Notice.MODERATORS_REMOVE: "sie vergessen lassen",
    Notice.SECOND_LOOK: "• Wenn dem Sprachmodell etwas fehlt: {wanted}",
    Notice.SECOND_LOOK_YES: "ich suche noch einmal und frage es erneut",
    Notice.SECOND_LOOK_NO: "ich frage es nur einmal",
}


# What is said in German about what is held, to whom it belongs, and its end.


PRIVACY_NOTICES = {
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


# The bot's sentences in German.


PHRASES = {
    Phrase.REMEMBERED: "Ich merke mir über {name}: {fact}",
    Phrase.REMEMBERED_ABOUT_SERVER: (
        "Ich habe darin kein Mitglied erkannt und merke es mir über diesen Server: {fact}\n"
        "Wenn es um jemanden geht, erwähne die Person: „{bot} merk dir, dass @name …“"
    ),
    Phrase.CONFIRMED_BY_TELLING: "Davon hatte ich gehört, und jetzt weiß ich es von dir: {fact}",
    Phrase.ALREADY_KNOWN: "Das weiß ich schon: {fact}",
    Phrase.WHICH_MEMBER: (
        "Wen meinst du mit „{name}“? Wähle unten aus, oder sag es noch einmal mit einer Erwähnung.\n{candidates}"
    ),
    Phrase.GUESSED_MEMBER: (
        "Ich kenne niemanden namens „{name}“. Wen meinst du? Wähle unten aus, oder sag es noch einmal mit einer "
        "Erwähnung.\n{candidates}"
    ),
    Phrase.NONE_OF_THEM: "Niemand davon",
    Phrase.MAY_BE_TOLD: "Ich kann gerade nicht sagen, ob das eine Frage war oder ob ich es mir merken soll.",
    Phrase.REMEMBER_THIS: "Merken",
    Phrase.NOT_YOUR_CHOICE: "Ich habe die Person gefragt, die mir das gesagt hat; nur sie weiß, wen sie meint.",
    Phrase.TELLING_GONE: (
        "Ich finde nicht mehr, was du geschrieben hast; also ist nichts geschehen. Sag es bitte noch einmal."
    ),
    Phrase.CHOSEN_TOO_LATE: "Das ist zu lange her, um noch weiterzumachen. Bitte sag es noch einmal.",
    Phrase.REPLACED: "-# Das tritt an die Stelle von:\n{facts}",
    Phrase.KNOWN_BETTER: (
        "{name} hat mir etwas anderes gesagt, also bleibt es dabei: {fact}\nÄndern kann das nur {name}."
    ),
    Phrase.NOTHING_TO_REMEMBER: (
        "Was soll ich mir merken? Zum Beispiel „{bot} merk dir, dass @name Tee mag“, "
        "oder antworte auf eine Nachricht mit „{bot} merk dir das über @name“."
    ),
    Phrase.SOURCE_NOT_KEPT: (
        "Die Nachricht, die du meinst, ist weg, oder ich darf sie nicht behalten; also habe ich mir nichts gemerkt."
    ),
    Phrase.FACT_TOO_LONG: "Das ist zu lang ({length} Zeichen von höchstens {limit}). Sag es bitte kürzer.",
    Phrase.TOLD_ENOUGH: (
        "Du hast mir schon {limit} Dinge über {name} erzählt, mehr merke ich mir nicht von einer Person. "
        "Dies ist nicht gemerkt; lass mich erst etwas vergessen: „{bot} vergiss …“"
    ),
    Phrase.TOLD_ENOUGH_ABOUT_SERVER: (
        "Du hast mir schon {limit} Dinge über diesen Server erzählt, mehr merke ich mir nicht von einer "
        "Person. Dies ist nicht gemerkt; lass mich erst etwas vergessen: „{bot} vergiss …“"
    ),
    Phrase.FORGOTTEN: "Vergessen:\n{facts}",
    Phrase.FORGOTTEN_UNSAID: "Es ist vergessen.",
    Phrase.FORGOTTEN_ALL: "Was immer mir über dich gesagt wurde, wo auch immer auf diesem Server, ist vergessen.",
    Phrase.UNCLEAR_WHAT: (
        "Was davon soll ich vergessen? Noch ist nichts vergessen; sag es bitte genauer: „{query}“\n{facts}"
    ),
    Phrase.FORGET_THIS: "Soll ich das vergessen? Noch ist nichts vergessen; wenn ja, drück auf 1.\n{facts}",
    Phrase.WHICH_FACT: (
        "Was davon soll ich vergessen? Noch ist nichts vergessen; wähle unten, oder sag es genauer: „{query}“\n{facts}"
    ),
    Phrase.NOTHING_FOUND: (
        "Unter dem, wovon ich hier sprechen darf, passt nichts dazu; also wurde nichts vergessen: „{query}“"
    ),
    Phrase.NOT_KEPT_ANY_MORE: "Das habe ich nicht mehr.",
    Phrase.MAY_NOT_FORGET: "Das behalte ich. Vergessen lassen kann es nur {who}:\n{facts}",
    Phrase.CANNOT_LOOK: (
        "Ich kann gerade nicht in mein Gedächtnis schauen und weiß daher nicht, ob ich dazu etwas weiß. "
        "Versuch es bitte gleich noch einmal."
    ),
    Phrase.CANNOT_WRITE: (
        "Ich kann gerade nicht in mein Gedächtnis schreiben, verlass dich also nicht darauf. "
        "Sag es mir bitte gleich noch einmal."
    ),
    Phrase.WAS_AWAY: "Ich war kurz weg.",
    Phrase.TOOK_TOO_LONG: "Das hat mir zu lange gedauert, ich habe aufgehört. Versuch es bitte gleich noch einmal.",
    Phrase.UNEXPECTED: "Bei mir ging etwas schief, ich konnte das nicht zu Ende bringen. (Anfrage {request})",
    Phrase.NOTHING_TO_SAY: "Dazu habe ich nichts zu sagen.",
    Phrase.WELCOME: "Gern geschehen!",
    Phrase.GREETING: "Hallo! Frag mich etwas, oder gib mir etwas zu behalten: „{bot} merk dir …“.",
    Phrase.FAREWELL: "Bis zum nächsten Mal!",
    Phrase.NOD: "Immer wieder gern. 🙂",
    Phrase.CUT: "… (gekürzt)",
    Phrase.DIRECT_MESSAGE: (
        "Hallo! Ich lebe auf Servern und merke mir, was dort gesagt wird; hier behalte ich nichts. "
        "Erwähne mich auf einem gemeinsamen Server, oder schreib dort „{bot} merk dir …“."
    ),
    Phrase.STAYS_HERE: "-# Es bleibt unter denen, die diesen Kanal lesen können.",
    Phrase.STAYS_HERE_ALL_THE_SAME: (
        "-# Es bleibt unter denen, die diesen Kanal lesen können: Nur die Person, um die es geht, kann es mit eigenen "
        "Worten alle wissen lassen."
    ),
    Phrase.EVERYONE_MAY_KNOW: "-# Das dürfen alle auf diesem Server wissen.",
    Phrase.LET_EVERYONE_KNOW: "Das dürfen alle wissen",
    Phrase.NOT_YOURS_TO_OPEN: "Das kann nur entscheiden, wer mir das von sich selbst erzählt hat.",
    Phrase.NOTHING_TO_OPEN: "Das behalte ich nicht mehr, es gibt also nichts zu entscheiden.",
    Phrase.ANSWER_ONLY_TO_ME: "Antworte nur mir",
    Phrase.NOT_YOUR_ANSWER: (
        "Dieser Knopf gehört der Person, die gefragt hat. Frag mich selbst mit `/ask`: Nur du siehst dann die Antwort."
    ),
    Phrase.QUESTION_GONE: (
        "Ich finde deine Frage nicht mehr und weiß also nicht, was du wissen wolltest. "
        "Frag mich mit `/ask`: Nur du siehst dann die Antwort."
    ),
    Phrase.ASK_ONLY_ANSWERS: (
        "Mit `/ask` beantworte ich nur Fragen. Soll ich mir etwas merken oder etwas vergessen, schreib in einen Kanal "
        "„{bot} merk dir …“ oder „{bot} vergiss …“."
    ),
    Phrase.ASKED_TOO_SOON: "Eins nach dem anderen, bitte: Frag mich {when} noch einmal.",
    Phrase.ASKED_ENOUGH: "Du hast mich in der letzten Stunde sehr viel gefragt. Gern mache ich {when} weiter.",
    Phrase.IN_SECONDS: "in etwa {count} Sekunden",
    Phrase.IN_MINUTES: "in etwa {count} Minuten",
    Phrase.RECALL_HEADING: "🔎 „{query}“{limits}",
    Phrase.RECALL_NOTHING: (
        "Zu „{query}“{limits} habe ich nichts gefunden in dem, was du lesen kannst. Versuch es mit anderen "
        "Worten oder weniger Grenzen."
    ),
    Phrase.RECALL_FROM: "von {who}",
    Phrase.RECALL_IN: "im Kanal {place}",
    Phrase.RECALL_BEFORE: "vor dem {day}",
    Phrase.RECALL_AFTER: "seit dem {day}",
    Phrase.RECALL_SHOW: "zeigen",
    Phrase.RECALL_GONE: "Was auf dieser Seite stand, ist fort, oder du kannst es nicht mehr lesen.",
    Phrase.RECALL_NO_WORDS: "Wonach soll ich suchen? Gib mir Wörter, einen Namen, einen Tag oder eine ganze Frage.",
    Phrase.RECALL_NO_PLACE: (
        "So einen Kanal, den du lesen kannst, gibt es hier nicht. Beim Tippen biete ich dir die an, die "
        "du lesen kannst."
    ),
    Phrase.RECALL_NO_DAY: (
        "„{typed}“ verstehe ich nicht als Tag. Versuch es zum Beispiel mit 2026-03-01, gestern, letzte Woche oder März."
    ),
    Phrase.RECALL_NO_TIME: (
        "Vor dem {before} und seit dem {after} wurde nichts gesagt: Dazwischen liegt keine Zeit. Vertauscht?"
    ),
    Phrase.UNDO: "Rückgängig",
    Phrase.EDIT: "Ändern",
    Phrase.NOT_ME: "Das bin nicht ich",
    Phrase.NOT_TRUE: "Stimmt nicht",
    Phrase.NOT_KEPT_AFTER_ALL: "Rückgängig gemacht: Ich behalte nicht, was mir hier gesagt wurde.",
    Phrase.HOLDS_AGAIN: "Rückgängig gemacht. Das gilt wieder:\n{facts}",
    Phrase.HOLDS_INSTEAD: "Das gilt wieder:\n{facts}",
    Phrase.SAYS_AGAIN: "Rückgängig gemacht. Ich behalte es, wie es war:\n{facts}",
    Phrase.AS_IT_WAS: "Rückgängig gemacht: Es ist wieder wie zuvor.",
    Phrase.CHANGED_SINCE: "Es wurde nichts rückgängig gemacht: Es hat sich seither geändert.",
    Phrase.HOLDS_NOW: "Das gilt jetzt:\n{facts}",
    Phrase.NOTHING_TO_UNDO: (
        "Hier gibt es nichts mehr rückgängig zu machen: Es ist schon geschehen, oder es ist über einen Tag her."
    ),
    Phrase.ONLY_THEY_MAY: "Es wurde nichts geändert. Das kann nur {who}.",
    Phrase.NOBODY_MAY: "Es wurde nichts geändert: Hier geht es um den Server, also ist niemand damit gemeint.",
    Phrase.OR: "{first} oder {last}",
    Phrase.WHO_TOLD: "wer es mir gesagt hat",
    Phrase.WHO_IS_MEANT: "die Person, um die es geht",
    Phrase.WHO_DID_IT: "wer es getan hat",
    Phrase.WHO_MODERATES: "wer diesen Server moderiert",
    Phrase.WHO_MANAGES: "wer den Server verwaltet",
    Phrase.VETOED_NOT_ME: "{name} sagt, dass jemand anders gemeint ist; also behalte ich das nicht über sie oder ihn.",
    Phrase.VETOED_NOT_TRUE: "{name} sagt, dass das nicht stimmt; also behalte ich es nicht.",
    Phrase.EDIT_TITLE: "Mit anderen Worten",
    Phrase.EDIT_FIELD: "Was soll ich mir merken?",
    Phrase.EDITED: "Geändert. Ich merke mir über {name}: {fact}",
    Phrase.EDITED_ABOUT_SERVER: "Geändert. Ich merke mir über diesen Server: {fact}",
    Phrase.EDITED_UNSAID: "Geändert.",
    Phrase.ABOUT_SOMEBODY_ELSE: (
        "Mit diesen Worten ginge es um jemand anderen, also wurde nichts geändert. Nimm es zurück und sag es neu."
    ),
    Phrase.SAYS_SO_ALREADY: "So steht es schon da; es wurde nichts geändert.",
    Phrase.NOTHING_TO_EDIT: (
        "Das lässt sich nicht mehr ändern: Ich habe es nicht mehr, oder es wurde vor über einem Tag gesagt. "
        "Sag es mir stattdessen neu."
    ),
    Phrase.NOT_ABOUT_OTHERS: (
        "Das habe ich mir nicht gemerkt: Wer diesen Server verwaltet, hat entschieden, dass ich nichts behalte, was "
        "Mitglieder mir über andere erzählen. {name} kann es mir selbst sagen: „{bot} merk dir, dass ich …“"
    ),
    Phrase.SUBJECT_OPTED_OUT: (
        "Das habe ich mir nicht gemerkt: Es ist von jemandem die Rede, der nicht will, dass ich hier etwas "
        "über ihn behalte."
    ),
    Phrase.YOU_OPTED_OUT: (
        "Das habe ich mir nicht gemerkt: Du hast widersprochen, also behalte ich nichts über dich. Mit "
        "`/privacy opt-in` darf ich es wieder."
    ),
    Phrase.DENIED_BEFORE: (
        "Das habe ich mir nicht gemerkt: {name} hat mir gesagt, dass es nicht stimmt. Nur {name} selbst kann mir "
        "das sagen."
    ),
    Phrase.SOURCES_CHANGE: (
        "Was ich sagen wollte, stammt aus etwas, das gerade gelöscht oder geändert wird."
        " Frag mich bitte gleich noch einmal."
    ),
    Phrase.TAKEN_BACK: (
        "Diese Antwort habe ich zurückgenommen: Etwas, woraus sie gemacht war, wurde seither gelöscht oder geändert."
    ),
    Phrase.NOT_FOR_ALL: (
        "Diese Antwort habe ich zurückgenommen: Nicht alle, die sie nun sehen, konnten lesen, woraus sie gemacht war."
    ),
}
