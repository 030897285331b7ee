"""The bot's sentences in German."""

from bot.phrasebook.phrase import Phrase

BOOK = {
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
