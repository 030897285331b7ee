"""What is said in German about the facts that are held about members, and who did what to them."""

from bot.notices.notice import Notice

NOTICES = {
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
    Notice.HIDDEN_BY_YOU: "von dir verborgen: nur du siehst es",
    Notice.HIDDEN_BY: "von {who} verborgen: nur du siehst es",
    Notice.HIDDEN_BY_RULE: (
        "wird sonst niemandem gesagt: Dieser Server will nichts über andere erzählt haben. Bestätigst du es, "
        "wird es wieder gesagt"
    ),
    Notice.WITHHELD: "*von {who} verborgen*",
    Notice.ACT_CONFIRM: "Bestätigen",
    Notice.ACT_CORRECT: "Berichtigen",
    Notice.ACT_HIDE: "Verbergen",
    Notice.ACT_SHOW_AGAIN: "Wieder zeigen",
    Notice.ACT_FORGET: "Vergessen",
    Notice.ACT_BACK: "Zurück",
    Notice.DONE_CONFIRM: "Bestätigt. Von jetzt an steht es als dein eigenes Wort da: {fact}",
    Notice.DONE_CORRECT: "Berichtigt. Jetzt behalte ich deine eigenen Worte: {fact}",
    Notice.DONE_VETO: "Weg. Ich behalte es nicht, und niemand sonst kann mir dasselbe noch einmal über dich erzählen.",
    Notice.DONE_NOT_ME: (
        "Weg aus dem, was ich über dich weiß, und niemand kann mir dasselbe noch einmal über dich erzählen. "
        "Für andere, um die es auch geht, bleibt es."
    ),
    Notice.DONE_HIDE: "Verborgen. Von jetzt an erfährt es von mir niemand außer dir.",
    Notice.DONE_HIDE_OTHERS: "Verborgen. Von jetzt an erfährt es von mir niemand außer der Person, um die es geht.",
    Notice.DONE_SHOW_AGAIN: "Nicht mehr verborgen: Wer es vorher hören konnte, kann es wieder hören.",
    Notice.DONE_FORGET: "Vergessen.",
    Notice.DONE_BEFORE: "Das war schon so; nichts wurde geändert.",
    Notice.DONE_UNSAID: "Erledigt.",
    Notice.OTHERS_NOT_TOLD: (
        "Dieser Server will nichts über andere erzählt haben, deshalb kann ich es nicht wieder zeigen. Die "
        "Person, um die es geht, kann es bestätigen."
    ),
    Notice.CORRECT_TITLE: "In deinen eigenen Worten",
    Notice.CORRECT_FIELD: "Was stimmt stattdessen?",
    Notice.AUDIT_TITLE: "**Wer angesehen oder geändert hat, was ich über andere weiß**",
    Notice.AUDIT_TITLE_OF: "**Wer angesehen oder geändert hat, was ich über {name} weiß**",
    Notice.AUDIT_NONE: "In den letzten 365 Tagen wurde nichts dergleichen aufgeschrieben.",
    Notice.AUDIT_THE_SERVER: "der Server",
    Notice.DEED_LOOKED: "hat nachgesehen",
    Notice.DEED_TOLD: "hat mir etwas erzählt",
    Notice.DEED_REPLACED: "hat ersetzt",
    Notice.DEED_FORGOT: "hat vergessen lassen",
    Notice.DEED_EDITED: "hat anders ausgedrückt",
    Notice.DEED_UNDID: "hat rückgängig gemacht",
    Notice.DEED_VETOED: "hat bestritten",
    Notice.DEED_HID: "hat verborgen",
    Notice.DEED_SHOWED_AGAIN: "hat wieder gezeigt",
    Notice.DEED_KEPT_ON: "hat behalten, was eine gelöschte Nachricht erzählt hatte",
    Notice.DEED_SHOWED_CHANNEL: "hat in einen Kanal gesehen",
    Notice.DEED_EXPORTED_CHANNEL: "hat einen Kanal exportiert",
    Notice.DEED_ERASED_CHANNEL: "hat einen Kanal gelöscht",
    Notice.FACT_RULES: (
        "• Über andere Erzähltes: {about_others}\n• Moderatoren dürfen mit fremden Fakten: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "wird behalten",
    Notice.ABOUT_OTHERS_NO: "wird nicht behalten und nicht erzählt",
    Notice.MODERATORS_NOTHING: "nichts",
    Notice.MODERATORS_HIDE: "sie verbergen",
    Notice.MODERATORS_REMOVE: "sie verbergen und vergessen lassen",
}
