"""What is said in English about what is held, to whom it belongs, and its end."""

from bot.notices.notice import Notice

NOTICES = {
    Notice.OPT_OUT_ASK: (
        "Shall I store nothing more of you on this server, and remove what I have? Your messages go, my answers to "
        "them, the facts you told me about yourself and those others told me about you. It cannot be undone. What you "
        "told me about others stays.\n"
        "Your messages on Discord stay as they are. `/privacy export` gives you a copy first."
    ),
    Notice.OPT_OUT_YES: "Opt out and remove it",
    Notice.NOT_OPTED_OUT: "Nothing was changed: you are stored as before.",
    Notice.OPTED_OUT: (
        "From now on I store nothing that you write on this server, and nothing that others tell me about you; I no "
        "longer know who is meant by your name. If you talk to me I still answer, and keep none of it. What I had is "
        "removed:"
    ),
    Notice.OPTED_OUT_NEXT: (
        "What you told me about others stays. To have that removed too, use `/privacy erase`; to be stored again, "
        "`/privacy opt-in`."
    ),
    Notice.OPTED_IN: (
        "From now on I store what you write on this server, where I can read it, and what others tell me about you. "
        "To stop that, use `/privacy opt-out`; to have it removed, `/privacy erase`."
    ),
    Notice.ERASE_ASK: (
        "Shall I erase what I have of you on this server? Your messages go, my answers to them, the facts you told "
        "me and those others told me about you. It cannot be undone, and they do not come back.\n"
        "Your messages on Discord stay as they are. What you write from now on is stored again, unless you use "
        "`/privacy opt-out` as well. `/privacy export` gives you a copy first."
    ),
    Notice.ERASE_YES: "Erase it all",
    Notice.ERASE_NO: "Keep it",
    Notice.ERASED: "Erased.",
    Notice.ERASED_NOTHING: "There was nothing to erase.",
    Notice.NOT_ERASED: "Nothing was erased.",
    Notice.ERASING: (
        "Erasing: {done} of {total} messages …\n"
        "-# It is decided: should I be interrupted, the rest goes by itself, and nothing comes back."
    ),
    Notice.ERASING_GOES_ON: (
        "This takes longer than Discord lets me report here. It goes on by itself; please look again later."
    ),
    Notice.ERASE_BROKE_OFF: (
        "My memory went out of reach in the middle, after {done} of {total} messages. It is decided all the same: the "
        "rest goes by itself, within an hour as a rule, and nothing comes back."
    ),
    Notice.TAKING_BACK: "My answers on Discord that were made from it ({count}) are being taken back.",
    Notice.GONE_YOUR_MESSAGES: "your messages",
    Notice.GONE_MESSAGES: "messages",
    Notice.GONE_REPLIES: "my answers to it or made from it",
    Notice.GONE_EARLY_EDITS: "edits that waited for their message",
    Notice.GONE_ADDRESSED: "notes that something was said to me",
    Notice.GONE_YOUR_FACTS: "facts you told me",
    Notice.GONE_FACTS_OF_YOURSELF: "facts you told me about yourself",
    Notice.GONE_FACTS: "facts",
    Notice.GONE_OF_OTHERS: (
        "What others told me about you is gone too, wherever that was, and so is what I had made of any of it. My "
        "answers on Discord that repeat it are being taken back."
    ),
    Notice.GONE_FACTS_FROM: "facts taken from those messages",
    Notice.GONE_FACTS_REPLACED: "older facts that these had replaced",
    Notice.GONE_SUMMARIES: "summaries",
    Notice.GONE_CONTEXTS: "texts merged of it",
    Notice.GONE_VETOES: "notes of what is not true",
    Notice.GONE_CHANGES: "changes that could have been undone",
    Notice.GONE_RECEIPTS: "receipts of my answers",
    Notice.GONE_AUDIT: "lines of the audit log",
    Notice.GONE_NAMES: "names",
    Notice.HELD_TITLE: "**What I hold on you on this server**",
    Notice.HELD_NOTHING: "Nothing.",
    Notice.HELD_MESSAGES: "your messages",
    Notice.HELD_EARLY_EDITS: "edits that wait for their message",
    Notice.HELD_FACTS_TOLD: "facts you told me",
    Notice.HELD_FACTS_ABOUT: "facts others told me about you",
    Notice.HELD_FACTS_HERE: "facts told there",
    Notice.HELD_DAYS: "days summarised",
    Notice.HELD_HISTORIES: "weeks summarised",
    Notice.HELD_CONTEXTS: "texts merged of all that",
    Notice.HELD_NAMES: "names I find you by",
    Notice.HELD_RECEIPTS: "receipts of my answers",
    Notice.HELD_CHANGES: "texts kept for an undo, a day at most",
    Notice.HELD_VETOES: "notes of what you said is not true",
    Notice.HELD_SINCE: "since {when}",
    Notice.HELD_SPAN: "{first} to {last}",
    Notice.HELD_WITHHELD: "not told to others {count}",
    Notice.HELD_OVER: "no longer true {count}",
    Notice.HELD_ELSEWHERE: (
        "-# What others told me about you where you cannot read is not listed, nor whether there is any. "
        "`/privacy erase` and `/privacy opt-out` reach it as well."
    ),
    Notice.DECIDED_TITLE: "**What you decided**",
    Notice.DECIDED_STORED: "nothing; this server has everyone stored who does not opt out",
    Notice.DECIDED_NOT_STORED: "nothing; this server has only those stored who opt in",
    Notice.DECIDED_IN: "to be stored, {when}",
    Notice.DECIDED_OUT: "not to be stored, {when}",
    Notice.DECIDED_ERASED: "last erased {when}",
    Notice.LOOKS_TITLE: "**Who looked at or changed it**",
    Notice.LOOKS_NONE: "nobody but you",
    Notice.KEPT_TITLE: "**How long it is kept**",
    Notice.KEPT_EACH: "• messages: {messages}\n• summaries: {summaries}\n• facts: {facts}",
    Notice.NEXT_TITLE: "**What you can do**",
    Notice.NEXT_MINE: (
        "• `/privacy export`: all of it as a file\n"
        "• `/memory show`: each fact, to confirm, correct, deny or have forgotten\n"
        "• `/privacy erase`: all of it goes\n"
        "• `/privacy opt-out`: nothing more is stored, and nothing about you"
    ),
    Notice.EXPORT_LATE: "This takes longer than Discord lets me answer here. Please ask again at a quieter time.",
    Notice.EXPORT_UNDER_WAY: (
        "I am still collecting the file you asked for before. It comes as soon as it is ready; please ask again then."
    ),
    Notice.EXPORT_PROGRESS: "Collecting: {done} of {total} messages …",
    Notice.EXPORT_READY: (
        "Here is everything that I hold on you on this server, with where it came from. Only you can see this; "
        "dismiss the message when you have saved the file."
    ),
    Notice.EXPORT_READY_CHANNEL: (
        "Here is what I hold of {channel} and its threads, as far as you can read it yourself. Only you can see this."
    ),
    Notice.EXPORT_PACKED: "-# It is compressed (gzip), because Discord takes no larger file.",
    Notice.EXPORT_PARTS: (
        "-# It is compressed and in {count} parts, because Discord takes no larger file. Joined in their order they "
        "are one `.json.gz`."
    ),
    Notice.EXPORT_ABOUT_ME: "Everything that {bot} holds on you on this server, with where it came from.",
    Notice.EXPORT_ABOUT_CHANNEL: (
        "What {bot} holds of one channel and its threads, as far as whoever asked for it can read it."
    ),
    Notice.EXPORT_ABOUT_ROOMS: (
        "Not in it is what others told about you in rooms that you could not read when you asked, nor whether there is "
        "any; an age-restricted channel counts as such a room unless you ask in one. /privacy erase and "
        "/privacy opt-out reach it all the same."
    ),
    Notice.EXPORT_ABOUT_FORM: "Times are UTC, ids are those of Discord, and a link is there where you can open it.",
    Notice.NOT_KNOWN_YET: (
        "I cannot see just now who can read what, so I cannot say what is yours to read. Please try again in a minute."
    ),
    Notice.READS_CHANGED: "What you can read has just changed. Please use the command again.",
    Notice.CHANNEL_TITLE: "**What I hold of {channel} and its threads**",
    Notice.CHANNEL_CLOSED: (
        "From here you cannot read back {channel} yourself, so I neither show nor hand out what I hold of it. "
        "`/channel-memory erase` works all the same."
    ),
    Notice.CHANNEL_NEXT: (
        "• `/channel-memory export`: all of it as a file\n"
        "• `/channel-memory erase`: all of it goes\n"
        "• `/settings log exclude-channel`: nothing more of it is stored"
    ),
    Notice.CHANNEL_ERASE_ASK: (
        "Shall I erase all that I hold of {channel} and its threads? What was said there goes for me, for everyone, "
        "with the facts told there and all that was made of it. It cannot be undone, and does not come back.\n"
        "The messages on Discord stay as they are. What is written there from now on is stored again, unless you use "
        "`/settings log exclude-channel` as well."
    ),
    Notice.CHANNEL_GONE: "Of {channel} and its threads:",
    Notice.LEAVE_ASK: (
        "Shall I erase **all** that I hold of **{server}** and leave it? Messages, facts, summaries, settings: "
        "everything goes at once, for everyone, and cannot be brought back. If I am only removed from the server "
        "instead, I keep it for seven days."
    ),
    Notice.LEAVE_YES: "Erase all, leave {server}",
    Notice.LEAVE_NO: "Stay",
    Notice.LEAVE_STAYS: "I stay, and nothing was erased.",
    Notice.LEAVE_ERASED: "Of **{server}**, erased for good:",
    Notice.LEAVE_GOODBYE: "I am leaving now. Goodbye.",
    Notice.LEAVE_NOT_LET: (
        "Everything is erased, but Discord did not let me leave. Please remove me in the server's settings: as long as "
        "I am here, I store again what is written."
    ),
}
