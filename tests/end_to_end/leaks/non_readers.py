"""Doors into memory that take no audience, each with the reason why nothing that was said comes out of it."""

_WRITES = "takes things in and gives back nothing that was said"
_COUNTS = "gives back numbers, times and ids alone"
_PROCESS = "is about this process, not about a guild"

_WITHIN = "takes the audience within what is wanted, and shows what that could hear"
_ENDS = (
    "contexts.stop",
    "contexts.deferred",
    "contexts.precompute",
    "day_answers.stop",
    "heartbeat.start",
    "heartbeat.stop",
    "indexer.stop",
    "indexer.catch_up",
    "metering.close",
    "receipts.stop",
)
_METERED = (
    "metering.admit",
    "metering.ask",
    "metering.ask_for",
    "metering.embed",
    "metering.has_admitted",
    "metering.purge",
    "metering.recorder",
)
_SIGHT = (
    "places.is_open",
    "places.knows_hall",
    "places.serves",
    *(
        f"place_mirror.{name}"
        for name in [
            "begin",
            "complete",
            "distrust",
            "due",
            "end",
            "forget",
            "forget_decisions",
            "hall_role",
            "has_seat",
            "has_sight",
            "known_place",
            "names",
            "look_around",
            "lose_sight",
            "no_place",
            "no_role",
            "no_seat",
            "owner",
            "place",
            "private_threads",
            "private_threads_of",
            "role",
            "rooms",
            "seat",
            "view",
            "write",
            "write_anew",
        ]
    ),
)
_RETRACTED = tuple(
    f"retractions.{name}"
    for name in [
        "check_again",
        "check_readers",
        "done",
        "due",
        "guilds",
        "is_due",
        "marked",
        "note_found",
        "put_off",
        "unchanged_until",
        "wake",
    ]
)
_OWN = "gives its owner what they wanted to be reminded of, and nobody else anything"
_REMINDERS = tuple(
    f"reminders.{name}"
    for name in [
        "ask",
        "change",
        "choose",
        "delete",
        "done",
        "kept",
        "move_to_zone",
        "of_owner",
        "one",
        "restore",
        "snooze",
        "told",
    ]
)
_DELIVERED = tuple(
    f"reminders.{name}"
    for name in [
        "claim",
        "delivered",
        "following",
        "keep",
        "let_go",
        "may_stand",
        "next_due",
        "purge",
        "put_off",
        "wake",
        "woken",
    ]
)

_DIGESTS = tuple(
    f"digests.{name}"
    for name in [
        "claim",
        "claim_now",
        "latest",
        "one",
        "preview",
        "purge",
        "put_off",
        "schedule",
        "schedules",
        "settle",
        "wake",
        "woken",
    ]
)

_KEYS = tuple(
    f"access.{name}"
    for name in [
        "browsers",
        "door",
        "link",
        "make_token",
        "purge",
        "redeem",
        "revoke",
        "sign_in",
        "sign_out",
        "tokens",
        "whose",
    ]
)

NON_READERS = {
    **dict.fromkeys(_KEYS, "gives back keys, and to whoever has one the names of themselves and their guild"),
    "people.called": "gives back names, which everybody in the guild sees; driven by the API",
    "people.listed": "gives back names, which everybody in the guild sees; driven by the API",
    "places.rank_of": "gives back what somebody is on the guild",
    "places.reader": "is what an audience comes from",
    "places.view": "is what an audience comes from",
    "metering.by_day": _COUNTS,
    "overview.opted_out": _COUNTS,
    "overview.erasures": _COUNTS,
    "privacy.follow": "takes over what another process decided",
    "places.role_names": "gives back the names of roles, which everybody in the guild sees",
    **dict.fromkeys(_REMINDERS, _OWN),
    **dict.fromkeys(
        _DELIVERED, "is for delivering reminders: in their place if nobody came to read it, else privately"
    ),
    "reminders.zone_of": "gives back a time zone",
    "reminders.choose_zone": _WRITES,
    "channels.after_exchange": "has a summary made behind",
    "memories.after_exchange": "notes that there will be something to read",
    "memories.take_due": _COUNTS,
    "memories.start": _PROCESS,
    "memories.stop": _PROCESS,
    "memories.purge": "gives back nothing",
    "channels.stop": "gives back nothing",
    "catch_ups.boundary_from": _COUNTS,
    "catch_ups.decided": "finds what was decided in messages that it is given",
    "catch_ups.open_questions": "finds those that are open among messages that it is given",
    "catch_ups.by_model": "writes of messages that it is given",
    "catch_ups.members": "gives back the names that a text may call people by",
    "catch_ups.purge": _COUNTS,
    **dict.fromkeys(_DIGESTS, _COUNTS),
    "catch_ups.topics": "finds the topics of messages that it is given",
    "close": _PROCESS,
    "log.on_database_return": _PROCESS,
    "log.settled": _PROCESS,
    "log.room": _PROCESS,
    "indexer.start": _PROCESS,
    "people.meet_guild": _WRITES,
    "people.meet_member": _WRITES,
    "people.part_from_member": _WRITES,
    "privacy.leave_guild": _WRITES,
    "privacy.rejoin_guild": _WRITES,
    "ingest_message": _WRITES,
    "log.take_message": _WRITES,
    "log.language_last_spoken": "gives back which of five languages an author spoke where they speak now",
    "log.edit_message": _WRITES,
    "log.delete_messages": _WRITES,
    "log.delete_channel": _WRITES,
    "log.store_page": _COUNTS,
    "log.reconcile": _COUNTS,
    "log.note_channels": _WRITES,
    "log.channels_exist": _WRITES,
    "log.sweep_reached": _WRITES,
    "log.swept": _WRITES,
    "log.channel_is_live": _COUNTS,
    "log.no_channel_is_live": _WRITES,
    "people.known_guilds": _COUNTS,
    "log.progress": _COUNTS,
    "log.guild_log": _COUNTS,
    "log.stored_between": _COUNTS,
    "log.heard_until": _COUNTS,
    "log.note_heard": _WRITES,
    "log.unanswered": _COUNTS,
    "log.note_answered": _WRITES,
    "privacy.opt_out": _COUNTS,
    "privacy.opt_in": _WRITES,
    "privacy.erase_member": _COUNTS,
    "privacy.erase_channel": _COUNTS,
    "privacy.erase_guild": _COUNTS,
    "purge": _COUNTS,
    "privacy.erasure_broke_off": _PROCESS,
    "privacy.would_remove": _COUNTS,
    "privacy.settings": "gives back what managers decided: ids, numbers and a time zone",
    "privacy.change_settings": "gives back what managers decided: ids, numbers and a time zone",
    "answers.mark_addressed": _WRITES,
    "answers.is_first_word": "gives back whether an author has spoken to us before",
    "answers.route": "gives back one of four ways, chosen from the words of whoever asks",
    "facts.let_everyone_know": "opens a fact on the word of the one who told it, and says only whether it did",
    "places.audience_of": "is what an audience comes from",
    "places.audience_for": "is what an audience comes from",
    "places.hall": "gives back ids of channels that everybody sees",
    "places.proposed_hall": "gives back ids of channels and a role, for those who manage the server",
    "places.hall_with": "gives back ids of channels and a role, for those who manage the server",
    "places.follow": "reads who sees what, which is what an audience comes from",
    "metering.requests_since": "gives back the names of models, and how often each was asked",
    "metering.usage": "gives back numbers and the names of models; driven as `/innkeeper usage`",
    "heartbeat.totals": _COUNTS,
    "heartbeat.report": "is driven as `/innkeeper status` and by the pages; canaries in it would be found there",
    "command_definitions.digest": "gives back a digest of our own commands",
    "command_definitions.note": _WRITES,
    "log.put_message": _WRITES,
    "exports.file": "gives back the name of an empty file to write into",
    "hearsay.one": _WITHIN,
    "hearsay.do": _WITHIN,
    "hearsay.correct": _WITHIN,
    "undos.change": "gives back what a press is about; the press asks what its readers could hear before it says so",
    "receipts.of_message": "gives back ids; what they stand for is read by `receipts.explain`, for an audience",
    "receipts.put": _WRITES,
    "receipts.note_sent": _WRITES,
    "privacy.purge": _COUNTS,
    "undos.purge": _COUNTS,
    "audit_log.purge": _COUNTS,
    **dict.fromkeys(_ENDS, _PROCESS),
    **dict.fromkeys(_METERED, "asks a model what it is given, and counts it"),
    **dict.fromkeys(_SIGHT, "is what an audience comes from"),
    **dict.fromkeys(_RETRACTED, "gives back ids of our own replies that have to go"),
}

STORE_NON_READERS = {
    "CatchUpStore.people": "gives back the names that a text may call people by",
    "ChangeStore.read": "is for undoing and rewording; both leave out what those who press could not hear",
    "ChannelSummaryStore.by_ids": "is for making texts out of what older ones cite",
    "ChannelSummaryStore.people": "gives back the names that a text may call people by",
    "ChannelSummaryStore.talk": "is for finding where the talk turns",
    "CommandStore.digest": "gives back a digest of our own commands",
    "FactStore.forget": "gives back those of the facts it was given that were still there",
    "FactStore.take_out": "gives back what it was given, with the rows of the same telling",
    "FactStore.forget_all_about": "is a member's own request; the caller leaves out what was told behind other doors",
    "GuildStore.names": "gives back the names of guilds to whoever runs an import on the command line",
    "HealthStore.totals": "gives back numbers of all guilds together, by the names of our own figures",
    "KeyStore.names": "gives back the names of a guild and of the member who has a key to it",
    "MemberStore.called": "gives back names, which everybody in the guild sees",
    "MemberStore.listed": "gives back names, which everybody in the guild sees",
    "MemberStore.unnamed": "is for refusing what is told about those who opted out, and never for telling",
    "MemoryStore.unread": "is for taking memories from what one member said in one place, which live there",
    "ReminderStore.add": "gives back what it was given",
    "ReminderStore.of_owner": _OWN,
    "ReminderStore.one": _OWN,
    "ReminderStore.zone": "gives back a time zone",
    "UsageStore.requests_since": "gives back the names of models, and how often each was asked",
}
"""The same for the stores behind the door."""

OF_THE_FRAMEWORK = "/_nicegui"
"""Scripts and styles of the page's framework, and the socket that draws the pages, which are driven themselves."""
