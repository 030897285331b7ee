"""The notices in German."""

from bot.notices.notice import Notice

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
