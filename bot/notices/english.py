"""The notices in English."""

from bot.notices.notice import Notice

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
