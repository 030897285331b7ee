"""What this package keeps in memory for longer than a call. See `ai_clients.kept`."""

from collections.abc import Mapping

from ai_clients.kept import Kept, Reach, kept

_RUN = "as long as the process runs"

_WORDS: Mapping[str, Kept] = {
    **kept(
        Reach.FLEETING,
        "single words and names, as they are compared",
        "ten minutes",
        "memory/core/matching.py:stem",
        "memory/core/people.py:name_key",
        "memory/prompts/answer_by_model.py:_name_as_data",
        "memory/store/lexicon.py:Lexicon._stems",
    ),
    **kept(
        Reach.FLEETING,
        "texts of facts, ready for a prompt",
        "ten minutes",
        "memory/prompts/fact_texts.py:FactTexts._data FactTexts._lengths FactTexts._topics",
    ),
    **kept(Reach.FLEETING, "contexts of members", "ten minutes", "memory/caches.py:ContextCaches._texts"),
    **kept(
        Reach.FLEETING,
        "questions with their vectors",
        "ten minutes",
        "memory/question_vectors.py:QuestionVectors._kept",
    ),
    **kept(Reach.FLEETING, "sketches of vectors", "ten minutes", "memory/sketching.py:Sketching._kept"),
    **kept(
        Reach.FOLLOWS,
        "facts as they were last read for an audience, for while the database is away",
        "ten minutes, while the database is there",
        "memory/store/heard_facts.py:HeardFacts._heard _Heard.facts _Heard.sources",
    ),
    **kept(
        Reach.POLICY,
        "the newest messages of the channels last used, for while the database is away",
        "until newer ones take their place",
        "memory/ring.py:Ring._channels",
    ),
    **kept(
        Reach.PENDING,
        "messages, edits and deletions that are being written",
        "moments; while the database is away, until it is back",
        "memory/writer.py:Writer._outside Writer._queue Writer._settling",
        "memory/outage.py:Outage._changes Outage._sample",
        "memory/events.py:Batch.closed Batch.deleted Batch.edits Batch.messages",
        "memory/history_pages.py:HistoryPages._waiting",
        "memory/importing/parts.py:Parts._sent",
    ),
    **kept(
        Reach.FLEETING,
        "the next messages of the log with their stems, read ahead by the indexer",
        "until they are written, which leaves out what is gone by then",
        "memory/indexing.py:_Ahead._begun",
    ),
    **kept(
        Reach.CALL,
        "words of one text, prompt, file, day, change or question that is being worked on",
        "until that is done",
        "memory/core/evidence.py:_Echo._beginnings",
        "memory/core/extract/joining.py:Joined._said Joined._sentences",
        "memory/core/extract/weighing.py:DayOfWords._of_author DayOfWords._with_stem",
        "memory/core/recall/ranking.py:_Talk._alone _Talk._found _Talk._joined _Talk._meanings _Talk._place_of",
        "memory/core/third_person/sentence.py:Sentence._places Sentence.pieces",
        "memory/export_rows.py:Shaping._names",
        "memory/importing/chat_export.py:Translator._authors",
        "memory/importing/header.py:_TopLevel._found",
        "memory/importing/message_array.py:Piece.damages Piece.messages Piece.skipped",
        "memory/prompts/day_chunks.py:_Packer._costs",
        "memory/prompts/numbered_people.py:NumberedPeople._numbers",
        "memory/store/changes.py:Recorder._before Recorder._made",
        "memory/store/copy_format.py:Packer._authors",
        "memory/store/undoing.py:PutBack.back PutBack.gone PutBack.stuck",
    ),
}

_IDS: Mapping[str, Kept] = {
    **kept(
        Reach.DISCORD,
        "ids of members, roles, channels and threads, and who may see what",
        "until Discord says otherwise",
        "memory/core/crowd.py:Crowd._at Crowd._bit_of Crowd._holders Crowd._roles_of Crowd._vacant",
        "memory/core/doors.py:_shared door_of",
        "memory/core/floor_plan.py:FloorPlan._doors FloorPlan._places FloorPlan._public_threads FloorPlan._rooms",
        "memory/core/sight.py:Sight._granted Sight._passing Sight._seen",
        "memory/core/viewing.py:View._audiences View._roles",
        "memory/places.py:Places._read Places._turns",
        "memory/seeing.py:Due.places Due.roles Look.gone Look.places Look.recalled Look.roles",
        "memory/seeing.py:Seeing._due Seeing._hall_roles Seeing._looks Seeing._vouched",
    ),
    **kept(
        Reach.IDS,
        "who asked when, who may not be stored, what was said to us, which replies wait for their receipt",
        "bounded in number, or a day",
        "memory/caches.py:ContextCaches._asked ContextCaches._rests",
        "memory/core/allowance.py:Askers._asked",
        "memory/policies.py:Policies._known",
        "memory/receipts.py:Receipts._under_way Receipts._waiting _Waiting.message_ids",
        "memory/ring.py:Ring._addressed",
    ),
    **kept(
        Reach.IDS,
        "guilds, channels, days and times: what is being worked on, how far it is, what it took",
        _RUN,
        "memory/accounts.py:Accounts._waiting",
        "memory/answer.py:Answers._noting",
        "memory/budgets.py:Budgets._reading Budgets._spent Budgets._under_way",
        "memory/caches.py:ContextCaches._looked ContextCaches._weeks ContextCaches._zones",
        "memory/contexts.py:Contexts._running",
        "memory/day_making.py:DayMaker._running",
        "memory/history_pages.py:HistoryPages._turns",
        "memory/live_channels.py:LiveChannels._live LiveChannels._missed",
        "memory/nightly.py:Nightly._mending Nightly._next",
        "memory/sketching.py:Sketching._reading",
        "memory/store/heard_facts.py:HeardFacts._changed_at",
        "memory/taking_back.py:TakingBack._begun",
        "memory/vector_making.py:VectorMaking._removing",
    ),
    **kept(
        Reach.IDS,
        "the last sixteen vectors of questions, written as numbers",
        "until other questions come",
        "memory/store/recall.py:_written",
    ),
}

_NOTHING = kept(
    Reach.NOTHING,
    "our own phrases as patterns, names of zones, parts of this process, settings of the server, and these lists",
    _RUN,
    "memory/core/commands.py:_chatter _conjunction _leading _patterns _trailing_courtesy",
    "memory/core/courtesy.py:courtesies opening phrases_of",
    "memory/core/extract/sensitive.py:_anything _pattern",
    "memory/core/fleeting.py:_Fleeting.functions _Fleeting.keepers",
    "memory/core/for_everyone.py:_before _behind _this_everywhere",
    "memory/core/loose_telling.py:_keeping _lead _tail",
    "memory/core/time_zones.py:_called _city _clock_of _names",
    "memory/health.py:Health._parts Health._watchers",
    "memory/outage.py:Outage._on_return",
    "memory/store/embedded.py:EmbeddedPostgres._settings",
    "memory/store/server.py:Server._known_sizes Server._settings",
)

KEPT: Mapping[str, Kept] = {**_WORDS, **_IDS, **_NOTHING}
