"""What this package keeps in memory for longer than a call. See `ai_clients.kept`."""

from collections.abc import Mapping

from ai_clients.kept import Kept, Reach, kept

KEPT: Mapping[str, Kept] = {
    **kept(
        Reach.DISCORD,
        "members of late, to write down their names only when they change; guilds and threads as Discord has them",
        "until others take their place, or Discord says otherwise",
        "bot/member_lists.py:MemberLists._sessions MemberLists._whole",
        "bot/mirroring.py:Mirroring._due Mirroring._left Mirroring._seen Mirroring._touched Mirroring._tried",
        "bot/mirroring.py:Mirroring._unseen",
        "bot/thread_guests.py:ThreadGuests._changes ThreadGuests._found",
    ),
    **kept(
        Reach.IDS,
        "ids of messages we heard, channels we read, and replies that are to be taken back; what is to be done",
        "bounded in number, or as long as the process runs",
        "bot/absences.py:Absences._due Absences._heard",
        "bot/answering.py:Answering._heard Answering._waiting",
        "bot/backfilling.py:Backfilling._done Backfilling._reached",
        "bot/catching_up.py:CatchingUp._away_until CatchingUp._live CatchingUp._session",
        "bot/errands.py:Errands._again Errands._due Errands._failures Errands._later Errands._under_way",
        "bot/speaking_places.py:SpeakingPlaces._known",
        "bot/sweeping.py:Sweeping._listed",
        "bot/taking_back.py:TakingBackWorker._failed TakingBackWorker._not_before",
        "bot/turns.py:Turns._last",
    ),
    **kept(
        Reach.CALL,
        "a question to one person with buttons, and the pages of the setup",
        "three minutes, or until it is answered",
        "bot/commands/questions.py:Questions._open",
        "bot/sending.py:whispering_to.beneath",
        "bot/commands/setup/wizard.py:Wizard._pages",
    ),
    **kept(
        Reach.NOTHING,
        "tasks of this process, and shards",
        "as long as the process runs",
        "bot/client.py:InnkeeperClient._shards_down InnkeeperClient._tasks",
    ),
}
