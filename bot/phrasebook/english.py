"""The bot's sentences in English."""

from bot.phrasebook.phrase import Phrase

BOOK = {
    Phrase.REMEMBERED: "I will remember about {name}: {fact}",
    Phrase.REMEMBERED_ABOUT_SERVER: (
        "I recognised no member in that, so I keep it about this server: {fact}\n"
        "If it is about someone, mention them: “{bot} remember that @name …”"
    ),
    Phrase.CONFIRMED_BY_TELLING: "I had heard that, and now I have it from you: {fact}",
    Phrase.ALREADY_KNOWN: "I know that already: {fact}",
    Phrase.WHICH_MEMBER: "Which “{name}” do you mean? Choose below, or say it again with a mention.\n{candidates}",
    Phrase.GUESSED_MEMBER: (
        "I know nobody called “{name}”. Whom do you mean? Choose below, or say it again with a mention.\n{candidates}"
    ),
    Phrase.NONE_OF_THEM: "None of them",
    Phrase.MAY_BE_TOLD: "I cannot tell just now whether you asked me something or want me to remember this.",
    Phrase.REMEMBER_THIS: "Remember this",
    Phrase.NOT_YOUR_CHOICE: "I asked the one who told me this; only they know whom they mean.",
    Phrase.TELLING_GONE: "I cannot find what you wrote any more, so nothing was done. Please say it again.",
    Phrase.CHOSEN_TOO_LATE: "That was too long ago to go on with. Please say it again.",
    Phrase.REPLACED: "-# That takes the place of:\n{facts}",
    Phrase.KNOWN_BETTER: "{name} told me otherwise, so I keep this: {fact}\nOnly {name} can change it.",
    Phrase.NOTHING_TO_REMEMBER: (
        "What shall I remember? For example “{bot} remember that @name likes tea”, "
        "or answer a message with “{bot} remember this about @name”."
    ),
    Phrase.SOURCE_NOT_KEPT: "The message you mean is gone, or I may not keep it, so nothing was kept.",
    Phrase.FACT_TOO_LONG: "That is too long ({length} characters of at most {limit}). Please say it more briefly.",
    Phrase.TOLD_ENOUGH: (
        "You have told me {limit} things about {name}, and I keep no more of one person. Nothing was kept "
        "now; have me forget something first: “{bot} forget …”"
    ),
    Phrase.TOLD_ENOUGH_ABOUT_SERVER: (
        "You have told me {limit} things about this server, and I keep no more of one person. Nothing was "
        "kept now; have me forget something first: “{bot} forget …”"
    ),
    Phrase.FORGOTTEN: "Forgotten:\n{facts}",
    Phrase.FORGOTTEN_UNSAID: "It is forgotten.",
    Phrase.FORGOTTEN_ALL: "Whatever I was told about you, anywhere on this server, is forgotten.",
    Phrase.UNCLEAR_WHAT: (
        "Which of these shall I forget? Nothing is forgotten yet; please say it more exactly: “{query}”\n{facts}"
    ),
    Phrase.FORGET_THIS: "Shall I forget this? Nothing is forgotten yet; press 1 if so.\n{facts}",
    Phrase.WHICH_FACT: (
        "Which of these shall I forget? Nothing is forgotten yet; choose below, or be more exact: “{query}”\n{facts}"
    ),
    Phrase.NOTHING_FOUND: "I found nothing of that kind that I may speak of here, so nothing was forgotten: “{query}”",
    Phrase.NOT_KEPT_ANY_MORE: "I do not keep that any more.",
    Phrase.MAY_NOT_FORGET: "I keep this. Only {who} may have it forgotten:\n{facts}",
    Phrase.CANNOT_LOOK: (
        "I cannot look into my memory just now, so I do not know whether I know anything about that. "
        "Please try again in a moment."
    ),
    Phrase.CANNOT_WRITE: (
        "I cannot write into my memory just now, so do not count on that being done. Please say it again in a moment."
    ),
    Phrase.WAS_AWAY: "I was away for a moment.",
    Phrase.TOOK_TOO_LONG: "That took me too long and I stopped. Please try again in a moment.",
    Phrase.UNEXPECTED: "Something went wrong on my side, and I could not finish that. (Request {request})",
    Phrase.NOTHING_TO_SAY: "I have nothing to say to that.",
    Phrase.WELCOME: "You are welcome!",
    Phrase.GREETING: "Hello! Ask me something, or have me keep it: “{bot} remember …”.",
    Phrase.FAREWELL: "Until next time!",
    Phrase.NOD: "Always a pleasure. 🙂",
    Phrase.CUT: "… (cut)",
    Phrase.DIRECT_MESSAGE: (
        "Hello! I live in servers and remember what is said there; here I keep nothing. "
        "Mention me in a server we share, or write “{bot} remember …” there."
    ),
    Phrase.STAYS_HERE: "-# It stays among those who can read this channel.",
    Phrase.STAYS_HERE_ALL_THE_SAME: (
        "-# It stays among those who can read this channel: only the person it is about, in their own words, "
        "can have everyone know it."
    ),
    Phrase.EVERYONE_MAY_KNOW: "-# Everyone on this server may know this.",
    Phrase.LET_EVERYONE_KNOW: "Everyone may know this",
    Phrase.NOT_YOURS_TO_OPEN: "Only the one who told me this about themselves can decide that.",
    Phrase.NOTHING_TO_OPEN: "I do not keep that any more, so there is nothing to decide.",
    Phrase.ANSWER_ONLY_TO_ME: "Answer only to me",
    Phrase.NOT_YOUR_ANSWER: (
        "This button belongs to the one who asked. Ask me yourself with `/ask`: only you will see my answer."
    ),
    Phrase.QUESTION_GONE: (
        "I cannot find your question any more, so I cannot tell what you asked. "
        "Ask me with `/ask`: only you will see my answer."
    ),
    Phrase.ASK_ONLY_ANSWERS: (
        "With `/ask` I only answer questions. To have me remember or forget something, write “{bot} remember …” or "
        "“{bot} forget …” in a channel."
    ),
    Phrase.ASKED_TOO_SOON: "One thing at a time, please: ask me again {when}.",
    Phrase.ASKED_ENOUGH: "You have asked me a great deal in the last hour. I will gladly go on {when}.",
    Phrase.IN_SECONDS: "in about {count} seconds",
    Phrase.IN_MINUTES: "in about {count} minutes",
    Phrase.RECALL_HEADING: "🔎 “{query}”{limits}",
    Phrase.RECALL_NOTHING: (
        "I found nothing for “{query}”{limits} in what you can read. Try other words, or fewer limits."
    ),
    Phrase.RECALL_FROM: "from {who}",
    Phrase.RECALL_IN: "in {place}",
    Phrase.RECALL_BEFORE: "before {day}",
    Phrase.RECALL_AFTER: "since {day}",
    Phrase.RECALL_SHOW: "show",
    Phrase.RECALL_GONE: "What stood on this page is gone, or you cannot read it any more.",
    Phrase.RECALL_NO_WORDS: "What shall I look for? Give me words, a name, a day or a whole question.",
    Phrase.RECALL_NO_PLACE: (
        "There is no such channel here that you can read. While you type, I offer those that you can."
    ),
    Phrase.RECALL_NO_DAY: (
        "I do not understand “{typed}” as a day. Try for example 2026-03-01, yesterday, last week or March."
    ),
    Phrase.RECALL_NO_TIME: (
        "Nothing was said before {before} and since {after}: between these days there is no time. Swap them?"
    ),
    Phrase.UNDO: "Undo",
    Phrase.EDIT: "Edit",
    Phrase.NOT_ME: "Not me",
    Phrase.NOT_TRUE: "Not true",
    Phrase.NOT_KEPT_AFTER_ALL: "Undone: I do not keep what I was told here.",
    Phrase.HOLDS_AGAIN: "Undone. This holds again:\n{facts}",
    Phrase.HOLDS_INSTEAD: "This holds again:\n{facts}",
    Phrase.SAYS_AGAIN: "Undone. I keep it as it was:\n{facts}",
    Phrase.AS_IT_WAS: "Undone: it is as it was before.",
    Phrase.CHANGED_SINCE: "Nothing was undone: it has changed since.",
    Phrase.HOLDS_NOW: "This holds now:\n{facts}",
    Phrase.NOTHING_TO_UNDO: "There is nothing to undo here any more: it was undone already, or more than a day ago.",
    Phrase.ONLY_THEY_MAY: "Nothing was changed. Only {who} can do that.",
    Phrase.NOBODY_MAY: "Nothing was changed: this is about the server, so nobody is meant by it.",
    Phrase.OR: "{first} or {last}",
    Phrase.WHO_TOLD: "the one who told me",
    Phrase.WHO_IS_MEANT: "the person it is about",
    Phrase.WHO_DID_IT: "the one who did it",
    Phrase.WHO_MODERATES: "a moderator of this server",
    Phrase.WHO_MANAGES: "someone who manages the server",
    Phrase.VETOED_NOT_ME: "{name} says that somebody else is meant, so I do not keep this about them.",
    Phrase.VETOED_NOT_TRUE: "{name} says that this is not true, so I do not keep it.",
    Phrase.EDIT_TITLE: "In other words",
    Phrase.EDIT_FIELD: "What shall I remember?",
    Phrase.EDITED: "Changed. I will remember about {name}: {fact}",
    Phrase.EDITED_ABOUT_SERVER: "Changed. I will remember about this server: {fact}",
    Phrase.EDITED_UNSAID: "Changed.",
    Phrase.ABOUT_SOMEBODY_ELSE: (
        "In these words it would be about somebody else, so nothing was changed. Undo it and tell me anew."
    ),
    Phrase.SAYS_SO_ALREADY: "It says so already; nothing was changed.",
    Phrase.NOTHING_TO_EDIT: (
        "This cannot be changed any more: I do not keep it now, or it was told more than a day ago. Tell me anew."
    ),
    Phrase.NOT_ABOUT_OTHERS: (
        "I did not keep this: those who manage this server decided that I keep nothing that members tell me about "
        "others. {name} can tell me themselves: “{bot} remember that I …”"
    ),
    Phrase.SUBJECT_OPTED_OUT: (
        "I did not keep this: it speaks of somebody who does not want anything kept about them on this server."
    ),
    Phrase.YOU_OPTED_OUT: (
        "I did not keep this: you have opted out, so I keep nothing about you. With `/privacy opt-in` I may again."
    ),
    Phrase.DENIED_BEFORE: (
        "I did not keep this: {name} has told me that it is not true of them. Only they themselves can tell me so."
    ),
    Phrase.SOURCES_CHANGE: (
        "What I was going to say comes from something that is being deleted or changed right now."
        " Please ask me again in a moment."
    ),
    Phrase.TAKEN_BACK: "I have taken this answer back: something it was made from has been deleted or changed since.",
    Phrase.NOT_FOR_ALL: (
        "I have taken this answer back: not everyone who can read it now could read what it was made from."
    ),
}
