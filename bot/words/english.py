"""The notices in English."""

from bot.words.keys import Notice, Phrase

NOTICES = {
    Notice.NOT_DONE: "I cannot reach my memory just now, so nothing was changed. Please try again in a moment.",
    Notice.ONLY_MANAGERS: "Only those who manage this server may change that.",
    Notice.LOG_SETTINGS: (
        "**The log of this server**\n• Who is stored: {consent}\n• Messages are kept: {kept}\n"
        "• Summaries are kept: {summaries}\n"
        "• Facts are kept: {facts}\n"
        "• Channels that are not stored: {channels}\n• Roles that are not stored: {roles}"
    ),
    Notice.LOG_CLEANED: "Removed, because it may not be kept any longer: {what}",
    Notice.SO_MANY_MESSAGES: "{count} messages",
    Notice.SO_MANY_FACTS: "{count} facts",
    Notice.CONSENT_OPT_OUT: "everyone who has not used `/privacy opt-out`",
    Notice.CONSENT_OPT_IN: "only those who have used `/privacy opt-in`",
    Notice.KEPT_FOREVER: "until they are deleted",
    Notice.KEPT_DAYS: "for {days} days",
    Notice.KEPT_UNTIL_FORGOTTEN: "until I am asked to forget it",
    Notice.KEPT_AFTER_TELLING: "for {days} days after it was last told",
    Notice.NONE: "none",
    Notice.SETTINGS: (
        "**Settings of this server**\n"
        "• Time zone: {zone}\n"
        "• The hall: what everyone with {hall} can read\n"
        "• Where I answer: {speaks}"
    ),
    Notice.SPEAKS_EVERYWHERE: "everywhere I may write",
    Notice.AND_MORE: "{listed} and {count} more",
    Notice.SET_UP_ON: "-# Set up {when}",
    Notice.SETUP_SUGGESTED: (
        "Nobody has set me up on this server yet. `/innkeeper setup` does it in two minutes, and ends with a "
        "notice for your members."
    ),
    Notice.REMOVAL_ASK: "⚠️ This removes for good: {what}. Shall I?",
    Notice.REMOVAL_YES: "Change and remove",
    Notice.REMOVAL_NO: "Leave it as it is",
    Notice.NOTHING_CHANGED: "Nothing was changed.",
    Notice.CLEANED_LATER: (
        "Not everything that may not be in the log any longer could be removed just now; the rest follows by itself."
    ),
    Notice.ZONE_UNKNOWN: "“{typed}” is no time zone that I know.",
    Notice.ZONE_NEAR: "Did you mean {zones}?",
    Notice.ZONE_HINT: "Try the nearest large city, such as Berlin or New York.",
    Notice.SETUP_STEP: "-# Step {number} of {count}. Nothing is changed before you save at the end.",
    Notice.SETUP_BACK: "Back",
    Notice.SETUP_NEXT: "Next",
    Notice.SETUP_SKIP: "Skip, leave as is",
    Notice.SETUP_CANCEL: "Cancel",
    Notice.SETUP_CANCELLED: "Nothing was changed. `/innkeeper setup` starts anew.",
    Notice.RAN_OUT: "This has run out, and nothing was changed. Please use the command again.",
    Notice.ZONE_TITLE: "Time zone",
    Notice.ZONE_WORDS: "It decides when a day begins and ends in what I remember, and what “yesterday” means.",
    Notice.ZONE_CHOSEN: "Chosen: **{zone}** ({offset}; it is {time} there now)",
    Notice.ZONE_MENU: "Choose a time zone",
    Notice.ZONE_TYPE: "Type another",
    Notice.ZONE_FIELD: "A city or a zone, such as Berlin",
    Notice.HALL_TITLE: "The hall",
    Notice.HALL_WORDS: (
        "The hall is made of the channels that everyone with one role can read. What is said there I may repeat to "
        "them; what is said anywhere else stays where it was said."
    ),
    Notice.HALL_OPENS: "Chosen: {role}. People who have it: {people}. Channels it opens ({count}): {channels}",
    Notice.HALL_OPENS_NOTHING: (
        "Chosen: {role}. People who have it: {people}. There is no channel that all of them can read, so nothing "
        "would be repeated outside the place it was said in."
    ),
    Notice.HALL_UNKNOWN: (
        "Chosen: {role}. I cannot see yet who can read which channel, so I cannot list what it opens; until I can, "
        "everything stays where it was said."
    ),
    Notice.HALL_MENU: "Choose a role",
    Notice.HALL_PROPOSED: "My proposal: {role}",
    Notice.EXCEPT_TITLE: "What is not stored",
    Notice.EXCEPT_WORDS: (
        "I store nothing from these channels and their threads, and nothing from members with one of these roles. "
        "What I have of it is removed when you save."
    ),
    Notice.EXCEPT_CHANNELS: "Channels that are not stored",
    Notice.EXCEPT_ROLES: "Roles that are not stored",
    Notice.MENU_IS_FULL: "A menu holds no more than {shown}; the rest stays as it is, and `/settings` changes it.",
    Notice.SPEAK_TITLE: "Where I answer",
    Notice.SPEAK_WORDS: (
        "I write only in these channels. Elsewhere I still listen, and answer a call with a reaction; `/ask` works "
        "everywhere. None chosen: everywhere I may write."
    ),
    Notice.SPEAK_MENU: "Channels I answer in",
    Notice.CONSENT_TITLE: "Who is stored",
    Notice.CONSENT_WORDS: (
        "Every member decides for themselves; this is what holds for those who have not said anything. If it "
        "becomes only those who agree, the messages of everyone else are removed when you save."
    ),
    Notice.CONSENT_MENU: "Choose who is stored",
    Notice.CONSENT_OUT: "Everyone who has not opted out",
    Notice.CONSENT_OUT_HINT: "Stored, until they use /privacy opt-out",
    Notice.CONSENT_IN: "Only those who agree",
    Notice.CONSENT_IN_HINT: "Not stored, until they use /privacy opt-in",
    Notice.SUMMARY_TITLE: "Summary",
    Notice.WILL_REMOVE: "⚠️ Saving removes for good: {what}.",
    Notice.WILL_REMOVE_SOME: (
        "⚠️ Saving removes from the log what may not be there any longer. I cannot count it just now."
    ),
    Notice.NOTICE_WHERE: "**The notice for your members**, to be posted in {channel}:",
    Notice.NOTICE_NOWHERE: "**The notice for your members**; choose below where to post it:",
    Notice.NOTICE_MENU: "Where to post the notice",
    Notice.NOTICE_MAY_NOT: (
        "⚠️ I may not write in {channel}. Give me “View Channel” and “Send Messages” there, or choose another channel."
    ),
    Notice.SAVE_AND_POST: "Save and post the notice",
    Notice.SAVE_ONLY: "Save without a notice",
    Notice.OVERTAKEN: (
        "⚠️ Somebody changed the settings meanwhile, so nothing was saved yet. This is how they would be now; "
        "please look at it once more."
    ),
    Notice.SAVED: "Saved. `/settings show` shows it, `/settings` changes it.",
    Notice.NOTICE_POSTED: "The notice is in {channel}.",
    Notice.NOTICE_NOT_POSTED: (
        "The notice could not be posted in {channel}. Give me “View Channel” and “Send Messages” there and use "
        "`/innkeeper setup` again."
    ),
    Notice.HOUSE_NOTICE: (
        "**I remember this server.** {stored} I also keep what people ask me to remember ({facts}). What is said in a "
        "private channel is not repeated where others could read it, and what is deleted on Discord is deleted "
        "here too.\n"
        "• `/privacy show`: what I hold on you; `/privacy export`: all of it as a file; `/privacy erase`: it all goes\n"
        "• `/privacy opt-out`: I store nothing you write and nothing about you, and what I stored goes\n"
        "• `/innkeeper about`: how to talk to me"
    ),
    Notice.HOUSE_STORES_ALL: "I keep the messages of the channels I can read, {kept}.",
    Notice.HOUSE_STORES_AGREED: (
        "I keep the messages of those who agree with `/privacy opt-in`, in the channels I can read, {kept}."
    ),
    Notice.USAGE_ONLY_MANAGERS: "Only those who manage this server may see that.",
    Notice.USAGE_UNKNOWN: "I cannot look into my records just now. Please try again in a moment.",
    Notice.USAGE_TITLE: "**Use of models on this server**",
    Notice.USAGE_NO_MODEL: "There is no language model here: I answer by quoting, and nothing is used up.",
    Notice.USAGE_BUDGET: "Budget of today: {spent} of {budget} tokens used, {left} % left. A new day begins {when}.",
    Notice.USAGE_NO_BUDGET: "There is no daily budget.",
    Notice.USAGE_TODAY: "Today",
    Notice.USAGE_WEEK: "Last 7 days",
    Notice.USAGE_MONTH: "Last 30 days",
    Notice.USAGE_SUM: "{tokens} tokens in all",
    Notice.USAGE_NOTHING: "nothing",
    Notice.USAGE_CALLS: "calls {calls}",
    Notice.USAGE_FAILED: "failed {failed}",
    Notice.USAGE_TOKENS: "tokens {tokens_in} sent, {tokens_out} received",
    Notice.USAGE_SECONDS: "{seconds} s each",
    Notice.USAGE_ANSWER: "answers",
    Notice.USAGE_SUMMARISE: "summaries",
    Notice.USAGE_SMALL: "small tasks",
    Notice.USAGE_EMBED: "vectors",
    Notice.USAGE_ESTIMATED: "-# ~ is partly estimated: not every model says how many tokens it took.",
    Notice.USAGE_VECTORS_APART: "-# Vectors do not count against the budget.",
    Notice.USAGE_NO_PRICE: "-# No price is known for {models}. Whoever runs me can set it (`MODEL_PRICES`).",
}


# What is said in English about the facts that are held about members, and who did what to them.


MEMORY_NOTICES = {
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
    Notice.WITHHELD: "not told to anybody else: this server wants nothing told about others",
    Notice.ACT_CONFIRM: "Confirm",
    Notice.ACT_CORRECT: "Correct",
    Notice.ACT_FORGET: "Forget",
    Notice.ACT_REMOVE: "Remove",
    Notice.ACT_BACK: "Back",
    Notice.DONE_CONFIRM: "Confirmed. From now on it stands as your own word: {fact}",
    Notice.DONE_CORRECT: "Corrected. I keep your own words now: {fact}",
    Notice.DONE_VETO: "Gone. I do not keep it, and nobody else can tell me the same of you.",
    Notice.DONE_NOT_ME: (
        "Gone from what I hold about you, and nobody can tell me the same of you again. Whoever else it is "
        "about keeps it."
    ),
    Notice.DONE_FORGET: "Forgotten.",
    Notice.DONE_BEFORE: "It was so already; nothing was changed.",
    Notice.DONE_UNSAID: "Done.",
    Notice.CORRECT_TITLE: "In your own words",
    Notice.CORRECT_FIELD: "What is true instead?",
    Notice.AUDIT_TITLE: "**Who looked at or changed what I hold about others**",
    Notice.AUDIT_TITLE_OF: "**Who looked at or changed what I hold about {name}**",
    Notice.AUDIT_NONE: "Nothing of the kind was written down in the last 365 days.",
    Notice.AUDIT_THE_SERVER: "the server",
    Notice.DEED_LOOKED: "looked",
    Notice.DEED_TOLD: "told me something",
    Notice.DEED_REPLACED: "replaced something",
    Notice.DEED_FORGOT: "had something forgotten",
    Notice.DEED_EDITED: "put something in other words",
    Notice.DEED_UNDID: "undid something",
    Notice.DEED_VETOED: "denied something",
    Notice.DEED_SHOWED_CHANNEL: "looked into a channel",
    Notice.DEED_EXPORTED_CHANNEL: "exported a channel",
    Notice.DEED_ERASED_CHANNEL: "erased a channel",
    Notice.DEED_CHANGED_KEEPING: "decided anew what is kept",
    Notice.FACT_RULES: (
        "• What members tell about others: {about_others}\n• What moderators may do with others’ facts: {moderators}"
    ),
    Notice.ABOUT_OTHERS_YES: "kept",
    Notice.ABOUT_OTHERS_NO: "not kept, and not told",
    Notice.MODERATORS_NOTHING: "nothing",
    Notice.MODERATORS_REMOVE: "have them forgotten",
    Notice.SECOND_LOOK: "• Where the language model misses something: {wanted}",
    Notice.SECOND_LOOK_YES: "I look once more, and ask it again",
    Notice.SECOND_LOOK_NO: "I ask it once only",
}


# What is said in English about what is held, to whom it belongs, and its end.


PRIVACY_NOTICES = {
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


# The bot's sentences in English.


PHRASES = {
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
