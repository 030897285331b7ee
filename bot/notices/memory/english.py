"""What is said in English about the facts that are held about members, and who did what to them."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.MEMORY_OF_YOU: "**What I hold about you**",
    Notice.MEMORY_OF: "**What I hold about {name}, as far as you can read it**",
    Notice.MEMORY_NONE_OF_YOU: "I hold no facts about you that were told where you can read.",
    Notice.MEMORY_NONE_OF: "I hold no facts about {name} that you may hear.",
    Notice.MEMORY_PAGE: "Page {page} of {pages}",
    Notice.MEMORY_CHOOSE: "Choose a number to do something about it.",
    Notice.SAID_BY_YOU: "you said so",
    Notice.SAID_BY: "{name} said so",
    Notice.CONFIRMED_BY_YOU: "{teller} says so, and you confirmed it",
    Notice.CONFIRMED_BY: "{teller} says so, and {name} confirmed it",
    Notice.TOLD_BY: "{teller} says so",
    Notice.SINCE: "since {when}",
    Notice.UNTIL: "until {when}",
    Notice.MESSAGE_LINK: "message",
    Notice.MAY_BE_KNOWN: "everyone may know",
    Notice.HIDDEN_BY_YOU: "hidden by you: only you see it",
    Notice.HIDDEN_BY: "hidden by {who}: only you see it",
    Notice.HIDDEN_BY_RULE: (
        "not told to anybody else: this server wants nothing told about others. If you confirm it, it is told again"
    ),
    Notice.WITHHELD: "*hidden by {who}*",
    Notice.ACT_CONFIRM: "Confirm",
    Notice.ACT_CORRECT: "Correct",
    Notice.ACT_HIDE: "Hide",
    Notice.ACT_SHOW_AGAIN: "Show again",
    Notice.ACT_FORGET: "Forget",
    Notice.ACT_BACK: "Back",
    Notice.DONE_CONFIRM: "Confirmed. From now on it stands as your own word: {fact}",
    Notice.DONE_CORRECT: "Corrected. I keep your own words now: {fact}",
    Notice.DONE_VETO: "Gone. I do not keep it, and nobody else can tell me the same of you.",
    Notice.DONE_NOT_ME: (
        "Gone from what I hold about you, and nobody can tell me the same of you again. Whoever else it is "
        "about keeps it."
    ),
    Notice.DONE_HIDE: "Hidden. From now on nobody but you hears it from me.",
    Notice.DONE_HIDE_OTHERS: "Hidden. From now on nobody but the person it is about hears it from me.",
    Notice.DONE_SHOW_AGAIN: "It is hidden no longer: whoever could hear it before can hear it again.",
    Notice.DONE_FORGET: "Forgotten.",
    Notice.DONE_BEFORE: "It was so already; nothing was changed.",
    Notice.DONE_UNSAID: "Done.",
    Notice.OTHERS_NOT_TOLD: (
        "This server wants nothing told about others, so I cannot show it again. The person it is about can confirm it."
    ),
    Notice.CORRECT_TITLE: "In your own words",
    Notice.CORRECT_FIELD: "What is true instead?",
    Notice.AUDIT_TITLE: "**Who looked at or changed what I hold about others**",
    Notice.AUDIT_TITLE_OF: "**Who looked at or changed what I hold about {name}**",
    Notice.AUDIT_NONE: "Nothing of the kind was written down in the last 365 days.",
    Notice.AUDIT_THE_SERVER: "the server",
    Notice.DEED_LOOKED: "looked",
    Notice.DEED_TOLD: "told me something",
    Notice.DEED_REPLACED: "replaced",
    Notice.DEED_FORGOT: "had forgotten",
    Notice.DEED_EDITED: "put in other words",
    Notice.DEED_UNDID: "undid",
    Notice.DEED_VETOED: "denied",
    Notice.DEED_HID: "hid",
    Notice.DEED_SHOWED_AGAIN: "showed again",
    Notice.DEED_KEPT_ON: "kept what a deleted message had told",
    Notice.DEED_SHOWED_CHANNEL: "looked into a channel",
    Notice.DEED_EXPORTED_CHANNEL: "exported a channel",
    Notice.DEED_ERASED_CHANNEL: "erased a channel",
    Notice.FACT_RULES: (
        "• What members tell about others: {about_others}\n• Moderators may with others’ facts: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "kept",
    Notice.ABOUT_OTHERS_NO: "not kept, and not told",
    Notice.MODERATORS_NOTHING: "nothing",
    Notice.MODERATORS_HIDE: "hide them",
    Notice.MODERATORS_REMOVE: "hide them and have them forgotten",
}
