"""Doors into memory that take no audience, each with the reason why nothing that was said comes out of it."""

_WRITES = "takes things in and gives back nothing that was said"
_COUNTS = "gives back numbers, times and ids alone"
_PROCESS = "is about this process, not about a guild"

NON_READERS = {
    "close": _PROCESS,
    "on_database_return": _PROCESS,
    "settled": _PROCESS,
    "room": _PROCESS,
    "start_indexing": _PROCESS,
    "meet_guild": _WRITES,
    "meet_member": _WRITES,
    "part_from_member": _WRITES,
    "leave_guild": _WRITES,
    "rejoin_guild": _WRITES,
    "ingest_message": _WRITES,
    "ingest_messages": _WRITES,
    "take_message": _WRITES,
    "edit_message": _WRITES,
    "delete_messages": _WRITES,
    "delete_channel": _WRITES,
    "store_page": _COUNTS,
    "reconcile": _COUNTS,
    "note_channels": _WRITES,
    "channels_exist": _WRITES,
    "sweep_reached": _WRITES,
    "swept": _WRITES,
    "channel_is_live": _COUNTS,
    "no_channel_is_live": _WRITES,
    "known_guilds": _COUNTS,
    "progress": _COUNTS,
    "guild_log": _COUNTS,
    "stored_between": _COUNTS,
    "heard_until": _COUNTS,
    "note_heard": _WRITES,
    "unanswered": _COUNTS,
    "note_answered": _WRITES,
    "opt_out": _COUNTS,
    "opt_in": _WRITES,
    "erase_member": _COUNTS,
    "erase_channel": _COUNTS,
    "erase_guild": _COUNTS,
    "purge": _COUNTS,
    "erasure_broke_off": _PROCESS,
    "would_remove": _COUNTS,
    "settings": "gives back what managers decided: ids, numbers and a time zone",
    "change_settings": "gives back what managers decided: ids, numbers and a time zone",
    "leave_unanswered": _WRITES,
    "route": "gives back one of four ways, chosen from the words of whoever asks",
    "let_everyone_know": "opens a fact on the word of the one who told it, and says only whether it did",
    "audience_of": "is what an audience comes from",
    "audience_for": "is what an audience comes from",
    "hall": "gives back ids of channels that everybody sees",
    "proposed_hall": "gives back ids of channels and a role, for those who manage the server",
    "hall_with": "gives back ids of channels and a role, for those who manage the server",
    "follow_places": "reads who sees what, which is what an audience comes from",
    "requests_since": "gives back the names of models, and how often each was asked",
    "usage": "gives back numbers and the names of models; driven as `/innkeeper usage`",
    "health_report": "is driven as `/innkeeper status` and by the pages; canaries in it would be found there",
    "command_definitions": "gives back a digest of our own commands",
    "note_command_definitions": _WRITES,
}

STORE_NON_READERS = {
    "ChangeStore.read": "is for undoing and rewording; both leave out what those who press could not hear",
    "CommandStore.digest": "gives back a digest of our own commands",
    "FactStore.forget": "gives back those of the facts it was given that were still there",
    "FactStore.take_out": "gives back what it was given, with the rows of the same telling",
    "FactStore.forget_all_about": "is a member's own request; the caller leaves out what was told behind other doors",
    "GuildStore.names": "gives back the names of guilds to whoever runs an import on the command line",
    "MemberStore.unnamed": "is for refusing what is told about those who opted out, and never for telling",
    "UsageStore.requests_since": "gives back the names of models, and how often each was asked",
}
"""The same for the stores behind the door."""

OF_THE_FRAMEWORK = "/_nicegui"
"""Scripts and styles of the page's framework, and the socket that draws the pages, which are driven themselves."""
