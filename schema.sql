-- The whole schema. A change of a table goes here and, as a step for databases that already exist, into memory/db/migrations/.
-- A change of a function, trigger or comment goes here alone: the last step makes them anew. A step drops what is no more.

CREATE TABLE guilds (
    guild_id bigint PRIMARY KEY,
    name text NOT NULL,
    time_zone text NOT NULL DEFAULT 'UTC',
    epoch bigint NOT NULL DEFAULT 0,
    met_at timestamp with time zone NOT NULL,
    consent text NOT NULL DEFAULT 'opt_out' CHECK (consent IN ('opt_out', 'opt_in')),
    retention_days integer CHECK (retention_days > 0),
    kept_since timestamp with time zone,
    excluded_channels bigint[] NOT NULL DEFAULT '{}',
    excluded_roles bigint[] NOT NULL DEFAULT '{}',
    webhooks bigint[] NOT NULL DEFAULT '{}',
    names_left_out text[] NOT NULL DEFAULT '{}',
    left_at timestamp with time zone,
    owner_id bigint,
    hall_role_id bigint,
    speaks_in bigint[] NOT NULL DEFAULT '{}',
    set_up_at timestamp with time zone,
    places_run uuid,
    summary_days integer CHECK (summary_days > 0),
    fact_days integer CHECK (fact_days > 0),
    facts_about_others boolean NOT NULL DEFAULT true,
    moderators_may text NOT NULL DEFAULT 'nothing' CHECK (moderators_may IN ('nothing', 'remove')),
    second_look boolean NOT NULL DEFAULT true,
    summaries jsonb NOT NULL DEFAULT '{}',
    answers jsonb NOT NULL DEFAULT '{}',
    digest jsonb NOT NULL DEFAULT '{}',
    going uuid[] NOT NULL DEFAULT '{}',
    heard_until timestamp with time zone,
    files jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. webhooks are those through which people speak; names_left_out are names that such speakers bear, folded, of whom nothing is stored. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs. second_look: whether a model that misses something may be asked twice. summaries: when the talk of a channel is summed up, as far as it was decided. answers: how we speak with members, and what we take from it, likewise. digest: where and when the server is told what happened in it, likewise. going are removals under way of messages that may be stored no longer; while there are any, each message is judged before it is told. heard_until is up to when edits and deletions are known, because we heard of them or compared the last days after an absence. files: which files that come with messages are read, as far as it was decided.';

CREATE TABLE members (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    username text NOT NULL,
    global_name text,
    nickname text,
    is_bot boolean NOT NULL,
    roles bigint[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE members IS 'Who is in a guild today, with the names they go by and the roles they have.';

CREATE TABLE member_names (
    guild_id bigint NOT NULL,
    name_key text NOT NULL,
    user_id bigint NOT NULL,
    PRIMARY KEY (guild_id, name_key, user_id),
    FOREIGN KEY (guild_id, user_id) REFERENCES members ON DELETE CASCADE
);
CREATE INDEX member_names_of_member ON member_names (guild_id, user_id);
COMMENT ON TABLE member_names IS 'Every name of a member, folded as memory.people.names does, to find people in a text without reading all members.';

CREATE TABLE roles (
    guild_id bigint NOT NULL,
    role_id bigint NOT NULL,
    permissions bigint NOT NULL,
    name text NOT NULL DEFAULT '',
    PRIMARY KEY (guild_id, role_id)
);
COMMENT ON TABLE roles IS 'The roles of a guild and what they allow, as the bits Discord has for it; the role with the id of the guild is @everyone.';

CREATE TABLE places (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('channel', 'voice', 'category', 'thread', 'private_thread')),
    parent_id bigint,
    age_restricted boolean NOT NULL,
    overwrites jsonb NOT NULL,
    members bigint[],
    name text NOT NULL DEFAULT '',
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE places IS 'Channels and threads, archived ones included, and who may see them. overwrites are [id, is it a role, allowed bits, denied bits]; members are those of a private thread, NULL while they are not known.';

CREATE SEQUENCE chat_history_seq;

CREATE TABLE chat_history (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    author_id bigint NOT NULL,
    author_kind text NOT NULL CHECK (author_kind IN ('person', 'bot', 'webhook', 'self')),
    text text NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    reply_to bigint,
    seq bigint NOT NULL DEFAULT nextval('chat_history_seq'),
    parent_id bigint,
    extras jsonb,
    imported boolean NOT NULL DEFAULT false,
    speaker text,
    speaker_key text,
    pinned boolean NOT NULL DEFAULT false,
    reactions integer NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, message_id)
);
ALTER SEQUENCE chat_history_seq OWNED BY chat_history.seq;
CREATE INDEX chat_history_by_channel ON chat_history (guild_id, channel_id, message_id);
CREATE INDEX chat_history_by_seq ON chat_history (guild_id, seq);
CREATE INDEX chat_history_by_parent ON chat_history (guild_id, parent_id, message_id) INCLUDE (channel_id)
    WHERE parent_id IS NOT NULL;
CREATE INDEX chat_history_by_author ON chat_history (guild_id, author_id, message_id);
CREATE INDEX chat_history_of_webhooks ON chat_history (guild_id, author_id, message_id) WHERE author_kind = 'webhook';
CREATE INDEX chat_history_of_speakers ON chat_history (guild_id, speaker_key, message_id) WHERE speaker_key IS NOT NULL;
CREATE INDEX chat_history_pinned ON chat_history (guild_id, channel_id, message_id) WHERE pinned;
CREATE INDEX chat_history_of_ours ON chat_history (guild_id, reply_to) WHERE author_kind = 'self' AND reply_to IS NOT NULL;
CREATE INDEX chat_history_unread_texts ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "text")';
CREATE INDEX chat_history_unread_pictures ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "picture")';
CREATE INDEX chat_history_unread_voices ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "voice")';
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers; of an attachment, unread says as what it is still to be read, and read what was read of it. imported: an exported file brought it and Discord has not shown it to us, so that it is no sign of a deletion if Discord does not show it. speaker is the name that whoever spoke through a webhook bore, which is no member; speaker_key is that name, folded. pinned, and how many reactions it has, are no edit: they change no seq.';

CREATE TABLE tombstones (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    PRIMARY KEY (guild_id, message_id)
);
COMMENT ON TABLE tombstones IS 'Deleted messages, so that a late copy does not bring them back. Ids, and never more.';

CREATE TABLE closed_channels (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE closed_channels IS 'Deleted channels and threads, so that late messages of theirs are not stored.';

CREATE TABLE addressed (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    intent text NOT NULL CHECK (intent IN ('remember', 'forget', 'knowledge', 'question', 'remind')),
    unanswered boolean NOT NULL DEFAULT false,
    done boolean NOT NULL DEFAULT false,
    PRIMARY KEY (guild_id, message_id)
);
CREATE INDEX addressed_unanswered ON addressed (guild_id, channel_id) WHERE unanswered;
COMMENT ON TABLE addressed IS 'Messages that were said to us. They are kept in the log, and never quoted as conversation. unanswered: it has no reply yet; whoever starts next carries it out or answers it. done: it was carried out, and only the reply is owed.';

CREATE TABLE consents (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    choice text NOT NULL CHECK (choice IN ('in', 'out')),
    decided_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE consents IS 'Members who said whether their messages may be stored. Kept when a guild is removed, so that the word still holds if we come back.';

CREATE TABLE erasures (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    through_message_id bigint NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE erasures IS 'Up to which message nothing of a member may be stored, by whatever way it comes. Kept like consents.';

CREATE TABLE channel_erasures (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    through_message_id bigint NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE channel_erasures IS 'Up to which message nothing of a channel and its threads may be stored, because a manager had it erased. Kept like erasures.';

CREATE TABLE channel_progress (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    contiguous_through bigint,
    backfilled_to bigint,
    backfill_done boolean NOT NULL DEFAULT false,
    swept_at timestamp with time zone,
    swept_to bigint,
    asked_at timestamp with time zone,
    starts_after bigint,
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE channel_progress IS 'The channels that Discord has shown us, and how far each has been read: without a hole up to contiguous_through, into the past down to backfilled_to, by an unfinished sweep down to swept_to. asked_at is when Discord last said of one that is out of view that it still exists. Behind starts_after its short term begins, where somebody had it begin anew; nothing is deleted by that.';

CREATE TABLE facts (
    guild_id bigint NOT NULL,
    fact_id bigint GENERATED ALWAYS AS IDENTITY,
    subject_id bigint,
    teller_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    message_id bigint NOT NULL,
    source_message_id bigint,
    text text NOT NULL,
    standing text NOT NULL CHECK (standing IN ('self', 'confirmed', 'hearsay', 'let_on')),
    in_hall boolean NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    everywhere boolean NOT NULL DEFAULT false
        CHECK (NOT everywhere OR (subject_id IS NOT NULL AND subject_id = teller_id)),
    valid_to timestamp with time zone,
    superseded_by bigint,
    told_at timestamp with time zone NOT NULL,
    withheld boolean NOT NULL DEFAULT false,
    category text CHECK (category IN ('schedule', 'task', 'preference', 'fact', 'other')),
    importance smallint NOT NULL DEFAULT 5 CHECK (importance BETWEEN 1 AND 10),
    tags text[] NOT NULL DEFAULT '{}',
    expires_at timestamp with time zone,
    attribute text NOT NULL DEFAULT '',
    span text CHECK (standing <> 'let_on' OR span IS NOT NULL),
    PRIMARY KEY (guild_id, fact_id),
    CONSTRAINT facts_end_with_a_successor CHECK ((valid_to IS NULL) = (superseded_by IS NULL)),
    CONSTRAINT facts_go_with_their_successor
        FOREIGN KEY (guild_id, superseded_by) REFERENCES facts ON DELETE CASCADE
);
CREATE INDEX facts_by_subject ON facts (guild_id, subject_id, fact_id);
CREATE INDEX facts_by_source ON facts (guild_id, source_message_id) WHERE source_message_id IS NOT NULL;
CREATE INDEX facts_by_successor ON facts (guild_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX facts_by_telling ON facts (guild_id, message_id);
CREATE INDEX facts_by_expiry ON facts (guild_id, expires_at) WHERE expires_at IS NOT NULL;
COMMENT ON TABLE facts IS 'The ledger of what was told. subject_id NULL is the guild itself; message_id is the telling, which has a row for each person it is about; source_message_id is the message that "this" meant. It may be told to those who can read channel_id, or to everyone if its subject, who told it, said so. With valid_to it is over: superseded_by took its place, and it goes when that goes. told_at is when it was last told or confirmed, which retention counts from. withheld: it is hearsay, and told to nobody but its subject while the guild wants nothing told about others. With a category it is a memory: noted by hand, or let on by its subject when they spoke with us, in message_id, where span stands word for word. attribute is what it says of them that holds once at a time; the next of the same category and attribute takes its place. It goes after expires_at. A forgotten fact is deleted.';

CREATE TABLE memory_progress (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    user_id bigint NOT NULL,
    read_through bigint NOT NULL,
    read_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, channel_id, user_id)
);
CREATE INDEX memory_progress_by_time ON memory_progress (read_at);
COMMENT ON TABLE memory_progress IS 'Up to which message what a member said to us in a channel was read for memories. A row matters for as long as older words are looked for at a start.';

CREATE TABLE fact_aliases (
    guild_id bigint NOT NULL,
    name_key text NOT NULL,
    fact_id bigint NOT NULL,
    user_id bigint NOT NULL,
    PRIMARY KEY (guild_id, name_key, fact_id),
    FOREIGN KEY (guild_id, fact_id) REFERENCES facts ON DELETE CASCADE
);
CREATE INDEX fact_aliases_of_fact ON fact_aliases (guild_id, fact_id);
COMMENT ON TABLE fact_aliases IS 'Names that a fact gives a member ("gruzilkin is Sergey"), folded like member_names. One means the member only to those who may be told the fact, and while it holds.';

CREATE TABLE vetoes (
    guild_id bigint NOT NULL,
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    vetoed_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, subject_id, statement)
);
COMMENT ON TABLE vetoes IS 'What members said is not true of them, or not about them: a digest of the statement, never its words. Others cannot tell it again.';

CREATE TABLE changes (
    guild_id bigint NOT NULL,
    change_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('remembered', 'forgotten', 'edited', 'vetoed', 'opened')),
    made_by bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    fact_ids bigint[] NOT NULL,
    left_as text[] NOT NULL,
    before jsonb NOT NULL,
    subjects bigint[] NOT NULL,
    tellers bigint[] NOT NULL,
    channels bigint[] NOT NULL,
    messages bigint[] NOT NULL,
    PRIMARY KEY (guild_id, change_id)
);
CREATE INDEX changes_by_end ON changes (until);
CREATE INDEX changes_by_fact ON changes USING gin (fact_ids);
CREATE INDEX changes_by_message ON changes USING gin (messages);
COMMENT ON TABLE changes IS 'Changes of the ledger that can be undone, for a day. fact_ids are facts that it made or changed, and left_as is a digest of each as it was then; before are the rows that Undo puts back, as they were. subjects, tellers, channels and messages (tellings, and what "this" meant) are those of all these facts, so that whatever erases them finds this.';

CREATE TABLE claims (
    guild_id bigint NOT NULL,
    what text NOT NULL,
    claimed_by uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    beat bigint NOT NULL DEFAULT 0,
    holder text NOT NULL DEFAULT '',
    mark text NOT NULL DEFAULT '',
    PRIMARY KEY (guild_id, what)
);
COMMENT ON TABLE claims IS 'Who is at work on something, so that no other process does the same; a lease that runs out when its holder dies. Of guild 0: which process is connected to Discord as which shard of how many (0: all, however many), and whose turn it is to identify. These have no end, since clocks differ: beat is raised by the holder, who counts as gone when it stands still. holder says in words which process that is, and mark tells it from all others that this machine has had.';

CREATE TABLE process_health (
    process text PRIMARY KEY,
    pid integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    beat_at timestamp with time zone NOT NULL,
    parts jsonb NOT NULL,
    run uuid
);
COMMENT ON TABLE process_health IS 'How each process said it was doing, and when it last said so. run is new with every start, and NULL when it has ended; what guilds.places_run says holds as long as that run goes on.';

CREATE TABLE command_definitions (
    application_id bigint NOT NULL,
    scope bigint NOT NULL,
    digest text NOT NULL,
    PRIMARY KEY (application_id, scope)
);
COMMENT ON TABLE command_definitions IS 'What slash commands Discord was last given, as a digest; scope 0 is everywhere, otherwise a guild.';

CREATE TABLE model_calls (
    guild_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    call_id uuid NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    outcome text NOT NULL,
    tokens_in integer NOT NULL CHECK (tokens_in >= 0),
    tokens_out integer NOT NULL CHECK (tokens_out >= 0),
    is_estimated boolean NOT NULL,
    milliseconds integer NOT NULL CHECK (milliseconds >= 0),
    PRIMARY KEY (guild_id, at, call_id)
);
CREATE INDEX model_calls_by_time ON model_calls (at);
COMMENT ON TABLE model_calls IS 'Every call of a model for a guild: what for, how many tokens, how long, what came of it; never the content, nor who asked. is_estimated: the reply did not say how many tokens, or there was none. call_id lets a call be written again when nobody knows whether it was.';

CREATE TABLE file_pieces (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    attachment_id bigint NOT NULL,
    piece integer NOT NULL,
    channel_id bigint NOT NULL,
    page integer,
    line integer NOT NULL,
    text text NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (guild_id, message_id, attachment_id, piece)
);
CREATE INDEX file_pieces_terms ON file_pieces USING gin (terms);
COMMENT ON TABLE file_pieces IS 'What was read of files that came with messages, where it is more than stands in extras, in pieces: from which line on, and of a PDF on which page. terms are its stems, and # and the guild.';

CREATE TABLE message_index (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    author_id bigint NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    conversation_id bigint NOT NULL,
    length integer NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (guild_id, message_id)
);
CREATE INDEX message_index_terms ON message_index USING gin (terms) WITH (gin_pending_list_limit = 512);
CREATE INDEX message_index_by_channel ON message_index (guild_id, channel_id, message_id);
CREATE INDEX message_index_by_conversation ON message_index (guild_id, conversation_id);
CREATE INDEX message_index_by_author ON message_index (guild_id, author_id, message_id);
COMMENT ON TABLE message_index IS 'What people said to each other, as the stems of its words. The weight of a term is how often it occurs: D once, C twice, B three times, A more. One term more, # and the guild, lets the index look into one guild alone.';

CREATE TABLE conversations (
    guild_id bigint NOT NULL,
    conversation_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    messages integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (guild_id, conversation_id)
);
CREATE INDEX conversations_by_channel ON conversations (guild_id, channel_id, last_at);
COMMENT ON TABLE conversations IS 'Talk in one channel without a long pause: from when to when, how many messages, how many words.';

CREATE TABLE term_counts (
    guild_id bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    channel_id bigint NOT NULL,
    messages integer NOT NULL,
    PRIMARY KEY (guild_id, term, channel_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE term_counts IS 'In how many messages of a channel a term occurs: rare ones say more about what is meant. By channel, because nobody may tell from the weight of a word that it is used where they cannot read.';

CREATE TABLE index_channels (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    messages bigint NOT NULL,
    length bigint NOT NULL,
    conversations bigint NOT NULL,
    languages jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE index_channels IS 'How much of a channel is in the index: messages, words, conversations; and how many messages were in which language.';

CREATE TABLE index_state (
    guild_id bigint PRIMARY KEY,
    words_through bigint NOT NULL DEFAULT 0,
    vectors_through bigint NOT NULL DEFAULT 0,
    vector_model text
);
COMMENT ON TABLE index_state IS 'Up to which seq the log of a guild is in the index, and up to which it has vectors of the model that questions are compared by.';

CREATE TABLE vectors_again (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    turn bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (guild_id, message_id),
    FOREIGN KEY (guild_id, message_id) REFERENCES message_index ON DELETE CASCADE
);
COMMENT ON TABLE vectors_again IS 'Messages that were indexed again and wait for their vectors. The turn is another one if that happened once more meanwhile.';

CREATE TABLE spellings (
    guild_id bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    PRIMARY KEY (guild_id, term)
);
COMMENT ON TABLE spellings IS 'The terms that are counted anywhere in a guild, to find those that look like a mistyped word. How often one occurs where somebody can read, and whether at all, is for term_counts to say.';

CREATE TABLE index_again (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    times integer NOT NULL DEFAULT 1,
    PRIMARY KEY (guild_id, message_id)
);
COMMENT ON TABLE index_again IS 'Messages that came to say more without arriving anew: their links were looked up. They wait to be indexed again, and times tells whether it happened once more meanwhile.';

CREATE TABLE days (
    guild_id bigint NOT NULL,
    scope bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL CHECK (ends_at > starts_at),
    day date NOT NULL,
    is_final boolean NOT NULL DEFAULT false,
    source_channels bigint[] NOT NULL,
    people bigint[] NOT NULL,
    messages integer NOT NULL,
    read_seq bigint NOT NULL,
    seen_seq bigint,
    changes bigint NOT NULL DEFAULT 0,
    seen_changes bigint NOT NULL DEFAULT 0,
    version integer,
    model text,
    made_at timestamp with time zone,
    tried_at timestamp with time zone NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    retry_at timestamp with time zone,
    mended_on date,
    fact_ids bigint[] NOT NULL DEFAULT '{}',
    left_out integer NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, scope, starts_at)
);
COMMENT ON TABLE days IS 'A calendar day of a guild, as far as it was summarised. scope 0 is the hall, otherwise a channel; source_channels and people are those whose words it was made from, and who is mentioned in them. seen_seq: up to where its texts know the log, NULL without any; read_seq: the same for whoever is making them just now. changes rises when something that was read changes or goes, and its texts, made at seen_changes, go with it; both rise when somebody corrects one, and what was made from it goes. model NULL: quoted. mended_on is the night in which it was last made anew. fact_ids are facts that told by which other names people are called. left_out of its messages no model was given, because they were too many.';

CREATE TABLE day_entries (
    guild_id bigint NOT NULL,
    scope bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    position integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('member', 'happened', 'decided', 'planned')),
    user_id bigint,
    text text NOT NULL CHECK (text <> ''),
    cites bigint[] NOT NULL DEFAULT '{}',
    corrected_by bigint,
    PRIMARY KEY (guild_id, scope, starts_at, position),
    CONSTRAINT day_entries_of_whom CHECK ((kind = 'member') = (user_id IS NOT NULL)),
    FOREIGN KEY (guild_id, scope, starts_at) REFERENCES days ON DELETE CASCADE
);
CREATE UNIQUE INDEX day_entries_of_member ON day_entries (guild_id, user_id, starts_at, scope);
COMMENT ON TABLE day_entries IS 'What a day was about: for one member (kind member), or for all, by topic: what happened, was decided or planned, the weightiest first, each with the messages that say it (cites). It may be told to those who can read all source_channels of the day. What somebody corrected of a member stands while the day is made anew, until something that it was made from changes.';

CREATE TABLE channel_summaries (
    guild_id bigint NOT NULL,
    summary_id bigint GENERATED ALWAYS AS IDENTITY,
    channel_id bigint NOT NULL,
    policy text NOT NULL CHECK (policy IN ('rolling', 'levels', 'history')),
    level integer NOT NULL CHECK (level > 0),
    parent_id bigint,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL CHECK (last_id >= first_id),
    messages integer NOT NULL CHECK (messages > 0),
    seen_seq bigint NOT NULL,
    people bigint[] NOT NULL,
    cites bigint[] NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    version integer NOT NULL,
    model text,
    quality real,
    corrected_by bigint,
    made_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, summary_id),
    FOREIGN KEY (guild_id, parent_id) REFERENCES channel_summaries ON DELETE SET NULL (parent_id)
);
CREATE INDEX channel_summaries_by_channel ON channel_summaries (guild_id, channel_id, last_id);
COMMENT ON TABLE channel_summaries IS 'What was said in a channel, in one text: from first_id to last_id, as far as it was in the log by seen_seq. Whatever of that changes or goes takes the row along, and those it was merged into, which cover it too; what those had merged is active again. parent_id is the summary of the next level that it went into; without one it is active. cites are the messages that the numbers in the text mean. model NULL: quoted. A rolling summary and a history are renewed in their row.';

CREATE TABLE catch_ups (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    read_to bigint NOT NULL,
    PRIMARY KEY (guild_id, user_id, channel_id)
);
COMMENT ON TABLE catch_ups IS 'Up to which moment a member said to have read what they missed, as the last id of that moment; in a channel and its threads, or with channel_id 0 on the whole server. After 14 days it means nothing any more, and goes.';

CREATE TABLE digests (
    guild_id bigint NOT NULL,
    local_date date NOT NULL,
    digest_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    after_id bigint NOT NULL,
    until_id bigint NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'posted', 'quiet', 'missed')),
    message_id bigint,
    claimed_by uuid,
    claimed_until timestamp with time zone,
    tried_at timestamp with time zone,
    tries integer NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, local_date)
);
COMMENT ON TABLE digests IS 'What a guild is told about a day or a week, once for each date of its own: when that was due, which messages it tells of (those behind after_id, up to until_id), and what became of it. digest_id stands for it in receipts, in the place of a question. A process that posts it has it until claimed_until, and nobody else; tried_at is when somebody first set about it, and tries how often. It holds none of its words.';

CREATE TABLE texts (
    guild_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('week', 'context', 'facts')),
    scope bigint NOT NULL,
    user_id bigint NOT NULL,
    made_on date NOT NULL,
    version integer NOT NULL,
    made_from text NOT NULL,
    fact_ids bigint[] NOT NULL,
    facts_digest text NOT NULL,
    day_starts timestamp with time zone[] NOT NULL,
    day_changes bigint[] NOT NULL,
    source_channels bigint[] NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    model text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone,
    PRIMARY KEY (guild_id, kind, scope, user_id)
);
COMMENT ON TABLE texts IS 'What a model last made of what is known of a member: of their days before today (week), of facts, today and those days (context), of the facts alone where they are many (facts). made_from is a digest of the words it was made from. It goes back to facts (fact_ids, and a digest of their rows) and to days (each with its count of changes): if any of them has changed or gone, this goes too. scope 0 is the hall, otherwise a channel; it may be told to those who can read all source_channels. asked_at is when it was last made because somebody asked.';

CREATE TABLE receipts (
    guild_id bigint NOT NULL,
    asked_in bigint NOT NULL,
    channel_id bigint NOT NULL,
    asker_id bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    language text NOT NULL,
    message_ids bigint[] NOT NULL DEFAULT '{}',
    used_messages bigint[] NOT NULL DEFAULT '{}',
    quoted_messages bigint[] NOT NULL DEFAULT '{}',
    used_facts bigint[] NOT NULL DEFAULT '{}',
    quoted_facts bigint[] NOT NULL DEFAULT '{}',
    day_scopes bigint[] NOT NULL DEFAULT '{}',
    day_starts timestamp with time zone[] NOT NULL DEFAULT '{}',
    day_quoted boolean[] NOT NULL DEFAULT '{}',
    used_summaries bigint[] NOT NULL DEFAULT '{}',
    quoted_summaries bigint[] NOT NULL DEFAULT '{}',
    source_channels bigint[] NOT NULL DEFAULT '{}',
    take_back_at timestamp with time zone,
    because text CHECK (because IN ('source', 'question', 'forgotten', 'lapsed', 'readers')),
    tries integer NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, asked_in),
    CONSTRAINT receipts_say_why CHECK ((take_back_at IS NULL) = (because IS NULL))
);
CREATE INDEX receipts_by_reply ON receipts USING gin (message_ids);
CREATE INDEX receipts_by_message ON receipts USING gin (quoted_messages);
CREATE INDEX receipts_by_fact ON receipts USING gin (quoted_facts);
CREATE INDEX receipts_by_summary ON receipts USING gin (quoted_summaries);
CREATE INDEX receipts_by_day ON receipts USING gin (day_starts);
CREATE INDEX receipts_to_take_back ON receipts (take_back_at) WHERE take_back_at IS NOT NULL;
COMMENT ON TABLE receipts IS 'What our replies were made from, by the message that asked for them: all that a reply could have used, and what it quotes, cites or shares words with. Ids, and never more. source_channels are the channels, other than its own, that any of it stands in. message_ids are our replies, as far as they are known; whatever of ours replies to asked_in is one as well. From take_back_at on (the epoch: at once) they have to be taken back on Discord, because something that they quote is gone or changed, or because somebody came to read them who could not read a source channel; then this row goes too.';

CREATE TABLE verdicts (
    guild_id bigint NOT NULL,
    reply_id bigint NOT NULL,
    user_id bigint NOT NULL,
    asked_in bigint NOT NULL,
    is_right boolean NOT NULL,
    correction text NOT NULL DEFAULT '',
    given_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, reply_id, user_id),
    FOREIGN KEY (guild_id, reply_id) REFERENCES chat_history ON DELETE CASCADE
);
COMMENT ON TABLE verdicts IS 'What members said of our answers: that one was right or wrong, and in a line what is right. reply_id is the first message of the answer, with which this goes; asked_in is its question, by which its receipt is known.';

CREATE TABLE access_keys (
    guild_id bigint NOT NULL,
    digest bytea NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('link', 'session', 'token')),
    name text NOT NULL,
    may_write boolean NOT NULL,
    made_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, digest)
);
CREATE INDEX access_keys_of_member ON access_keys (guild_id, user_id);
CREATE INDEX access_keys_by_end ON access_keys (ends_at);
COMMENT ON TABLE access_keys IS 'What opens the panel and the API to a member of a guild: one-time links, browsers that are signed in, tokens. Of each there is the SHA-256 alone. What its holder may see and do is not written here: it is worked out from Discord''s roles each time. A token has a name, and may_write says whether it changes anything.';

CREATE TABLE member_settings (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    time_zone text,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE member_settings IS 'What members decided for themselves in a guild. time_zone NULL: they were told that the guild''s holds.';

CREATE TABLE reminders (
    guild_id bigint NOT NULL,
    reminder_id bigint NOT NULL,
    owner_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    by_message boolean NOT NULL,
    about_id bigint,
    text text NOT NULL,
    language text NOT NULL,
    state text NOT NULL CHECK (state IN ('asked', 'open', 'kept', 'sent', 'deleted')),
    wall text,
    zone text NOT NULL,
    due_at timestamp with time zone,
    every text CHECK (every IN ('hours', 'day', 'weekday', 'week', 'month')),
    every_count integer NOT NULL CHECK (every_count > 0),
    in_hall boolean NOT NULL,
    readers bigint[],
    made_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    claimed_by uuid,
    claimed_until timestamp with time zone,
    tried_at timestamp with time zone,
    tries integer NOT NULL DEFAULT 0,
    event_id bigint,
    PRIMARY KEY (guild_id, reminder_id),
    CONSTRAINT reminders_have_a_time CHECK (state = 'asked' OR due_at IS NOT NULL)
);
CREATE INDEX reminders_due ON reminders (guild_id, due_at) WHERE state = 'open';
CREATE INDEX reminders_of_member ON reminders (guild_id, owner_id);
CREATE INDEX reminders_by_message ON reminders (guild_id, about_id) WHERE about_id IS NOT NULL;
CREATE INDEX reminders_by_end ON reminders (ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX reminders_by_event ON reminders (guild_id, event_id) WHERE event_id IS NOT NULL;
COMMENT ON TABLE reminders IS 'What members want to be reminded of. reminder_id is the message (by_message) or the command that asked for it; it goes with that message and with about_id, which it points at. wall is what a clock in zone shows when it is due, without a zone, of a repeated one when it was due first; due_at is that moment, or the next one. in_hall: everyone could read the place it was asked in; readers are those who could see it elsewhere, NULL if too many or not known. A process that delivers it has it until claimed_until, and nobody else; tried_at is when somebody first set about it, and tries how often. It is forgotten at ends_at. event_id is the scheduled event that its time was counted from, and moves along with.';

CREATE TABLE events (
    guild_id bigint NOT NULL,
    event_id bigint NOT NULL,
    channel_id bigint,
    creator_id bigint,
    name text NOT NULL,
    description text NOT NULL,
    location text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    interested integer NOT NULL,
    over boolean NOT NULL DEFAULT false,
    PRIMARY KEY (guild_id, event_id)
);
COMMENT ON TABLE events IS 'Scheduled events of a guild that are to come or took place just now, as Discord lists them. channel_id is a voice or stage channel, NULL: elsewhere. interested is how many said so. One that took place goes a day later, and is over then: what was said of it may stand. One that was cancelled goes at once.';

CREATE TABLE place_viewers (
    guild_id bigint PRIMARY KEY,
    checked_at timestamp with time zone NOT NULL,
    people bigint[] NOT NULL,
    channels bigint[] NOT NULL,
    viewers bytea[] NOT NULL
);
COMMENT ON TABLE place_viewers IS 'Who could see each channel and private thread when our replies there were last held against their readers: whoever sees one now and is not among them has come since. viewers has, for each of channels, a bit for each of people, the first in the lowest.';

CREATE TABLE audit (
    guild_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    audit_id uuid NOT NULL,
    actor_id bigint NOT NULL,
    action text NOT NULL,
    subject_id bigint,
    channel_id bigint,
    items integer NOT NULL DEFAULT 0 CHECK (items >= 0),
    PRIMARY KEY (guild_id, at, audit_id)
);
CREATE INDEX audit_by_subject ON audit (guild_id, subject_id, at);
COMMENT ON TABLE audit IS 'Who looked at or changed what is remembered of somebody else, and when; never what it says. items is how many facts or messages it concerned.';

-- Functions and triggers.

CREATE OR REPLACE FUNCTION keep_what_was_read(arrived jsonb, known jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN known @? '$.attachments[*].read' AND arrived ? 'attachments' THEN
        jsonb_set(arrived, '{attachments}', (
            SELECT jsonb_agg(coalesce((
                SELECT (file - 'unread') || jsonb_build_object('read', old -> 'read')
                FROM jsonb_array_elements(known -> 'attachments') AS old
                WHERE old -> 'id' = file -> 'id' AND old ? 'read' LIMIT 1), file) ORDER BY place)
            FROM jsonb_array_elements(arrived -> 'attachments') WITH ORDINALITY AS came (file, place)))
        ELSE arrived END
$$;
COMMENT ON FUNCTION keep_what_was_read IS 'What came with a message that comes again, with what was read of the attachments that are still there.';

CREATE OR REPLACE FUNCTION forget_indexed(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    unused text[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('index', of_guild));
    WITH gone AS (
        DELETE FROM message_index WHERE guild_id = of_guild AND message_id = ANY (ids)
        RETURNING channel_id, conversation_id, length, terms
    ), lost AS (
        SELECT lexeme, channel_id, count(*) AS messages FROM gone, unnest(terms) GROUP BY lexeme, channel_id
    ), last_ones AS (
        DELETE FROM term_counts AS known USING lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.channel_id = lost.channel_id
          AND known.messages <= lost.messages
        RETURNING known.term
    ), fewer AS (
        UPDATE term_counts AS known SET messages = known.messages - lost.messages FROM lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.channel_id = lost.channel_id
          AND known.messages > lost.messages
    ), talk AS (
        SELECT conversation_id, count(*) AS messages, sum(length) AS length FROM gone GROUP BY conversation_id
    ), ended AS (
        DELETE FROM conversations AS known USING talk
        WHERE known.guild_id = of_guild AND known.conversation_id = talk.conversation_id AND known.messages <= talk.messages
        RETURNING known.channel_id
    ), shorter AS (
        UPDATE conversations AS known SET messages = known.messages - talk.messages, length = known.length - talk.length
        FROM talk
        WHERE known.guild_id = of_guild AND known.conversation_id = talk.conversation_id AND known.messages > talk.messages
    ), channels AS (
        SELECT channel_id, count(*) AS messages, sum(length) AS length,
            (SELECT count(*) FROM ended WHERE ended.channel_id = gone.channel_id) AS conversations
        FROM gone GROUP BY channel_id
    ), less_said AS (
        UPDATE index_channels AS known
        SET messages = known.messages - channels.messages, length = known.length - channels.length,
            conversations = known.conversations - channels.conversations
        FROM channels WHERE known.guild_id = of_guild AND known.channel_id = channels.channel_id
    )
    SELECT array_agg(DISTINCT term) INTO unused FROM last_ones;
    -- A statement of its own, which sees that they are gone.
    DELETE FROM spellings AS known WHERE guild_id = of_guild AND term = ANY (unused) AND NOT EXISTS (
        SELECT FROM term_counts WHERE term_counts.guild_id = of_guild AND term_counts.term = known.term);
END $$;
COMMENT ON FUNCTION forget_indexed IS 'Takes messages out of everything that was made of them for recall. The indexer holds the same lock while it writes.';

CREATE OR REPLACE FUNCTION time_of(id bigint) RETURNS timestamp with time zone LANGUAGE sql IMMUTABLE AS $$
    SELECT to_timestamp(((id >> 22) + 1420070400000) / 1000.0)
$$;
COMMENT ON FUNCTION time_of IS 'When Discord gave an id out.';

CREATE OR REPLACE FUNCTION text_holds(made texts) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT made.facts_digest = encode(sha256(convert_to(coalesce((
            SELECT string_agg(concat_ws(' ', fact_id, standing, channel_id, everywhere, text), E'\n' ORDER BY fact_id)
            FROM facts WHERE guild_id = made.guild_id AND fact_id = ANY (made.fact_ids)
              AND valid_to IS NULL AND NOT withheld), ''), 'UTF8')), 'hex')
        AND NOT EXISTS (
            SELECT 1 FROM unnest(made.day_starts, made.day_changes) AS seen (starts_at, changes)
            LEFT JOIN days
                ON days.guild_id = made.guild_id AND days.scope = made.scope AND days.starts_at = seen.starts_at
            WHERE days.changes IS DISTINCT FROM seen.changes)
$$;
COMMENT ON FUNCTION text_holds IS 'Whether all that a text was made from is there, and as it was: what is over, withheld or forgotten is not.';

CREATE OR REPLACE FUNCTION may_be_told(of_guild bigint, said_in bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM chat_history AS arrived
        WHERE arrived.guild_id = of_guild AND arrived.message_id = said_in AND arrived.author_kind <> 'self'
        AND NOT EXISTS (
            SELECT 1 FROM closed_channels c
            WHERE c.guild_id = of_guild AND c.channel_id IN (arrived.channel_id, arrived.parent_id))
        AND NOT ((EXISTS (
            SELECT 1 FROM (SELECT unnest(excluded_channels) AS channel_id FROM guilds WHERE guild_id = of_guild) AS decided
            WHERE decided.channel_id = arrived.channel_id)
        OR EXISTS (
            SELECT 1 FROM (SELECT unnest(excluded_channels) AS channel_id FROM guilds WHERE guild_id = of_guild) AS decided
            WHERE decided.channel_id = arrived.parent_id))
        OR (EXISTS (
            SELECT 1 FROM (SELECT user_id FROM guilds JOIN members USING (guild_id)
                WHERE guild_id = of_guild AND excluded_roles <> '{}' AND roles && excluded_roles) AS decided
            WHERE decided.user_id = arrived.author_id))
        OR (EXISTS (
            SELECT 1 FROM (SELECT user_id, through_message_id FROM erasures WHERE guild_id = of_guild) AS decided
            WHERE decided.user_id = arrived.author_id AND arrived.message_id <= decided.through_message_id))
        OR (EXISTS (
            SELECT 1 FROM (SELECT channel_id, through_message_id FROM channel_erasures WHERE guild_id = of_guild) AS decided
            WHERE decided.channel_id = arrived.channel_id AND arrived.message_id <= decided.through_message_id)
        OR EXISTS (
            SELECT 1 FROM (SELECT channel_id, through_message_id FROM channel_erasures WHERE guild_id = of_guild) AS decided
            WHERE decided.channel_id = arrived.parent_id AND arrived.message_id <= decided.through_message_id)
        OR EXISTS (
            SELECT 1 FROM (SELECT channel_id, through_message_id FROM channel_erasures WHERE guild_id = of_guild) AS decided
            WHERE decided.channel_id = 0 AND arrived.message_id <= decided.through_message_id))
        OR (EXISTS (
            SELECT 1 FROM (SELECT user_id, decided_at FROM consents WHERE guild_id = of_guild AND choice = 'out') AS decided
            WHERE decided.user_id = arrived.author_id AND arrived.author_kind = 'person'))
        OR (EXISTS (
            SELECT 1 FROM (SELECT guild_id FROM guilds WHERE guild_id = of_guild AND consent = 'opt_in') AS decided
            WHERE arrived.author_id IS NOT NULL AND arrived.author_kind = 'person'
                AND NOT EXISTS (SELECT 1 FROM consents AS word WHERE word.guild_id = of_guild AND word.choice = 'in' AND word.user_id = arrived.author_id)))
        OR (EXISTS (
            SELECT 1 FROM (SELECT unnest(names_left_out) AS speaker_key FROM guilds WHERE guild_id = of_guild) AS decided
            WHERE decided.speaker_key = arrived.speaker_key))
        OR (EXISTS (
            SELECT 1 FROM (SELECT kept_since FROM guilds WHERE guild_id = of_guild) AS decided
            WHERE arrived.sent_at < decided.kept_since))));
END $$;
COMMENT ON FUNCTION may_be_told IS 'Whether a message in the log may be told while others are going: it may be stored as things stand, and is not ours, which may repeat what is going.';

CREATE OR REPLACE FUNCTION take_back(of_guild bigint, questions bigint[], why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- Our replies go from the log at once; on Discord they are taken back by whoever speaks there.
    WITH taken AS (
        UPDATE receipts SET take_back_at = TIMESTAMP WITH TIME ZONE 'epoch', because = why, tries = 0
        WHERE guild_id = of_guild AND asked_in = ANY (questions)
          AND (take_back_at IS NULL OR take_back_at > TIMESTAMP WITH TIME ZONE 'epoch')
        RETURNING asked_in, message_ids
    ), replies AS (
        SELECT said.message_id, said.channel_id FROM taken
        JOIN receipts AS kept ON kept.guild_id = of_guild AND kept.asked_in = taken.asked_in
        JOIN chat_history AS said ON said.guild_id = of_guild AND said.author_kind = 'self'
            AND said.channel_id = kept.channel_id AND said.message_id > kept.asked_in
            AND (said.reply_to = taken.asked_in OR said.message_id = ANY (taken.message_ids))
    ), gone AS (
        DELETE FROM chat_history USING replies
        WHERE chat_history.guild_id = of_guild AND chat_history.message_id = replies.message_id
        RETURNING chat_history.message_id, chat_history.channel_id
    )
    INSERT INTO tombstones (guild_id, message_id, channel_id)
    SELECT of_guild, message_id, channel_id FROM gone
    UNION SELECT of_guild, unnest(taken.message_ids), kept.channel_id FROM taken
        JOIN receipts AS kept ON kept.guild_id = of_guild AND kept.asked_in = taken.asked_in
    ON CONFLICT DO NOTHING;
END $$;
COMMENT ON FUNCTION take_back IS 'Takes our replies to these questions out of the log, and has them taken back on Discord.';

-- What is derived goes in the transaction that takes away what it was made from: one trigger for each cause.

CREATE OR REPLACE FUNCTION invalidate_days(of_guild bigint, channels bigint[], times timestamp with time zone[], seqs bigint[])
    RETURNS void LANGUAGE sql AS $$
    -- Days begin at full quarters of an hour everywhere, so many messages are few quarters.
    UPDATE days AS known SET changes = known.changes + 1 FROM (
        SELECT DISTINCT days.scope, days.starts_at FROM (
            SELECT channel_id, date_bin('15 minutes', sent_at, TIMESTAMP WITH TIME ZONE 'epoch') AS quarter, min(seq) AS seq
            FROM unnest(channels, times, seqs) AS lost (channel_id, sent_at, seq) GROUP BY 1, 2) AS lost
        JOIN days ON days.guild_id = of_guild AND days.starts_at <= lost.quarter AND days.ends_at > lost.quarter
            AND days.read_seq >= lost.seq AND lost.channel_id = ANY (days.source_channels)) AS told
    WHERE known.guild_id = of_guild AND known.scope = told.scope AND known.starts_at = told.starts_at
$$;
COMMENT ON FUNCTION invalidate_days IS 'Counts a change for each day that was made from messages which changed or went.';

CREATE OR REPLACE FUNCTION invalidate_days_of_facts(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE sql AS $$
    -- In the order of days, so that two who forget cannot wait for each other.
    UPDATE days AS known SET changes = known.changes + 1 FROM (
        SELECT scope, starts_at FROM days WHERE guild_id = of_guild AND fact_ids && ids ORDER BY scope, starts_at FOR UPDATE) AS told
    WHERE known.guild_id = of_guild AND known.scope = told.scope AND known.starts_at = told.starts_at
$$;
COMMENT ON FUNCTION invalidate_days_of_facts IS 'Counts a change for each day that calls people as these facts did.';

CREATE OR REPLACE FUNCTION forget_channel_summaries(of_guild bigint, channels bigint[], ids bigint[]) RETURNS void LANGUAGE sql AS $$
    DELETE FROM channel_summaries AS told USING unnest(channels, ids) AS lost (channel_id, message_id)
    WHERE told.guild_id = of_guild AND told.channel_id = lost.channel_id
      AND told.last_id >= lost.message_id AND told.first_id <= lost.message_id
$$;
COMMENT ON FUNCTION forget_channel_summaries IS 'Takes the summaries of channels away that cover messages which changed or went.';

CREATE OR REPLACE FUNCTION follow_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM gone GROUP BY guild_id;
    DELETE FROM index_again USING gone
    WHERE index_again.guild_id = gone.guild_id AND index_again.message_id = gone.message_id;
    DELETE FROM file_pieces USING gone
    WHERE file_pieces.guild_id = gone.guild_id AND file_pieces.message_id = gone.message_id;
    -- What a guild no longer keeps may live on in its summaries, as long as it keeps those, and in what was answered.
    FOR lost IN
        SELECT gone.guild_id, array_agg(message_id) AS ids, array_agg(channel_id) AS channels, array_agg(sent_at) AS times,
            array_agg(seq) AS seqs, array_agg(message_id) FILTER (WHERE author_kind IN ('person', 'webhook')) AS said,
            array_agg(channel_id) FILTER (WHERE author_kind IN ('person', 'webhook')) AS said_in
        FROM gone JOIN guilds ON guilds.guild_id = gone.guild_id
        WHERE gone.author_kind <> 'self' AND (guilds.kept_since IS NULL OR gone.sent_at >= guilds.kept_since)
        GROUP BY gone.guild_id
    LOOP
        PERFORM invalidate_days(lost.guild_id, lost.channels, lost.times, lost.seqs);
        PERFORM forget_channel_summaries(lost.guild_id, lost.said_in, lost.said);
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'question') FROM receipts
        WHERE guild_id = lost.guild_id AND asked_in = ANY (lost.ids) HAVING count(*) > 0;
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER chat_history_deleted AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_messages();

CREATE OR REPLACE FUNCTION follow_edited_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM (
        SELECT guild_id, message_id FROM new_rows JOIN old_rows USING (guild_id, message_id)
        WHERE new_rows.text <> old_rows.text OR new_rows.extras IS DISTINCT FROM old_rows.extras) AS changed
    GROUP BY guild_id;
    -- Links that were looked up change no seq. All else does: it comes by again on its own, and what has a new seq would
    -- not be known as read again.
    INSERT INTO index_again AS known (guild_id, message_id)
    SELECT guild_id, message_id FROM new_rows JOIN old_rows USING (guild_id, message_id, seq)
    WHERE new_rows.extras IS DISTINCT FROM old_rows.extras
    ON CONFLICT (guild_id, message_id) DO UPDATE SET times = known.times + 1;
    -- Of an attachment that an edit took away nothing stays.
    DELETE FROM file_pieces AS piece USING new_rows
    WHERE piece.guild_id = new_rows.guild_id AND piece.message_id = new_rows.message_id AND NOT coalesce(
        new_rows.extras -> 'attachments' @> jsonb_build_array(jsonb_build_object('id', piece.attachment_id::text)), false);
    FOR lost IN
        SELECT guild_id, array_agg(message_id) AS ids, array_agg(old_rows.channel_id) AS channels,
            array_agg(old_rows.sent_at) AS times, array_agg(old_rows.seq) AS seqs,
            array_agg(message_id) FILTER (WHERE old_rows.author_kind IN ('person', 'webhook')) AS said,
            array_agg(old_rows.channel_id) FILTER (WHERE old_rows.author_kind IN ('person', 'webhook')) AS said_in
        FROM old_rows JOIN new_rows USING (guild_id, message_id)
        WHERE new_rows.seq <> old_rows.seq AND old_rows.author_kind <> 'self' GROUP BY guild_id
    LOOP
        PERFORM invalidate_days(lost.guild_id, lost.channels, lost.times, lost.seqs);
        PERFORM forget_channel_summaries(lost.guild_id, lost.said_in, lost.said);
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    -- Words that are not in the message any more are not said again. The reminder stays, and points at the message.
    UPDATE reminders SET text = '' FROM old_rows JOIN new_rows USING (guild_id, message_id)
    WHERE reminders.guild_id = new_rows.guild_id AND reminders.reminder_id = new_rows.message_id
      AND new_rows.text <> old_rows.text AND strpos(new_rows.text, reminders.text) = 0;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER chat_history_edited AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_edited_messages();

CREATE OR REPLACE FUNCTION follow_addressed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)),
        forget_channel_summaries(guild_id, array_agg(channel_id), array_agg(message_id)) FROM noted GROUP BY guild_id;
    DELETE FROM index_again USING noted
    WHERE index_again.guild_id = noted.guild_id AND index_again.message_id = noted.message_id;
    PERFORM invalidate_days(said.guild_id, array_agg(said.channel_id), array_agg(said.sent_at), array_agg(said.seq))
    FROM noted JOIN chat_history AS said USING (guild_id, message_id) GROUP BY said.guild_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER addressed_noted AFTER INSERT ON addressed
    REFERENCING NEW TABLE AS noted FOR EACH STATEMENT EXECUTE FUNCTION follow_addressed_messages();

CREATE OR REPLACE FUNCTION follow_tombstones() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- What a guild no longer keeps is not in the log to be deleted, but may be in a summary. An id tells its time.
    UPDATE days SET changes = days.changes + 1 FROM guilds
    WHERE guilds.guild_id = days.guild_id AND days.starts_at < guilds.kept_since AND EXISTS (
        SELECT 1 FROM gone
        WHERE gone.guild_id = days.guild_id AND gone.channel_id = ANY (days.source_channels)
          AND days.starts_at <= time_of(gone.message_id) AND days.ends_at > time_of(gone.message_id));
    PERFORM forget_channel_summaries(gone.guild_id, array_agg(gone.channel_id), array_agg(gone.message_id))
    FROM gone JOIN guilds ON guilds.guild_id = gone.guild_id
    WHERE time_of(gone.message_id) < guilds.kept_since GROUP BY gone.guild_id;
    DELETE FROM reminders USING gone
    WHERE reminders.guild_id = gone.guild_id AND reminders.reminder_id = gone.message_id;
    DELETE FROM reminders USING gone
    WHERE reminders.guild_id = gone.guild_id AND reminders.about_id = gone.message_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER tombstones_noted AFTER INSERT ON tombstones
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_tombstones();

CREATE OR REPLACE FUNCTION follow_closed_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- At once and for all of it: its messages may be so many that they go some at a time.
    UPDATE days SET changes = days.changes + 1 WHERE EXISTS (
        SELECT 1 FROM gone
        WHERE gone.guild_id = days.guild_id AND gone.channel_id = ANY (days.source_channels));
    DELETE FROM channel_summaries AS told USING gone
    WHERE told.guild_id = gone.guild_id AND told.channel_id = gone.channel_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER closed_channels_noted AFTER INSERT ON closed_channels
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_closed_channels();

CREATE OR REPLACE FUNCTION forget_texts(of_guild bigint, starts timestamp with time zone[], ids bigint[])
    RETURNS void LANGUAGE sql AS $$
    -- Whoever holds a row just now makes it anew or takes it away, and nobody is told what does not hold.
    DELETE FROM texts WHERE (guild_id, kind, scope, user_id) IN (
        SELECT made.guild_id, made.kind, made.scope, made.user_id FROM texts AS made
        WHERE made.guild_id = of_guild AND (made.day_starts && starts OR made.fact_ids && ids) AND NOT text_holds(made)
        FOR UPDATE OF made SKIP LOCKED)
$$;
COMMENT ON FUNCTION forget_texts IS 'Takes away what was made from these days and facts, and does not hold any more.';

CREATE OR REPLACE FUNCTION follow_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        -- A correction counts for what was made from the day, and leaves its texts as they are.
        DELETE FROM day_entries AS told USING new_rows
        WHERE told.guild_id = new_rows.guild_id AND told.scope = new_rows.scope AND told.starts_at = new_rows.starts_at
          AND new_rows.changes <> new_rows.seen_changes;
        FOR lost IN
            SELECT guild_id, scope, starts_at FROM old_rows JOIN new_rows USING (guild_id, scope, starts_at)
            WHERE new_rows.changes <> old_rows.changes
        LOOP
            PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
            WHERE guild_id = lost.guild_id AND day_starts @> ARRAY[lost.starts_at] AND EXISTS (
                SELECT 1 FROM unnest(day_scopes, day_starts, day_quoted) AS day (scope, starts_at, is_quoted)
                WHERE day.scope = lost.scope AND day.starts_at = lost.starts_at AND day.is_quoted)
            HAVING count(*) > 0;
        END LOOP;
    END IF;
    PERFORM forget_texts(guild_id, array_agg(starts_at), '{}') FROM old_rows GROUP BY guild_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER days_changed AFTER UPDATE ON days
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_days();
CREATE OR REPLACE TRIGGER days_deleted AFTER DELETE ON days
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_days();

CREATE OR REPLACE FUNCTION follow_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    IF TG_OP = 'DELETE' THEN
        FOR lost IN SELECT guild_id, array_agg(fact_id) AS ids FROM old_rows GROUP BY guild_id LOOP
            PERFORM forget_texts(lost.guild_id, '{}', lost.ids);
            PERFORM invalidate_days_of_facts(lost.guild_id, lost.ids);
            PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
            WHERE guild_id = lost.guild_id AND quoted_facts && lost.ids HAVING count(*) > 0;
        END LOOP;
        RETURN NULL;
    END IF;
    FOR lost IN
        SELECT guild_id, array_agg(fact_id) AS ids,
            array_agg(fact_id) FILTER (WHERE new_rows.withheld AND NOT old_rows.withheld) AS withheld,
            -- What is over was true when it was said; what says something else, or nothing, was not to be said.
            array_agg(fact_id) FILTER (
                WHERE new_rows.text <> old_rows.text OR (new_rows.withheld AND NOT old_rows.withheld)) AS restated
        FROM old_rows JOIN new_rows USING (guild_id, fact_id) GROUP BY guild_id
    LOOP
        PERFORM forget_texts(lost.guild_id, '{}', lost.ids);
        PERFORM invalidate_days_of_facts(lost.guild_id, lost.withheld);
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts && lost.restated HAVING count(*) > 0;
    END LOOP;
    -- What lives again where it was told was not to be said elsewhere.
    FOR lost IN
        SELECT guild_id, fact_id, new_rows.channel_id FROM old_rows JOIN new_rows USING (guild_id, fact_id)
        WHERE old_rows.everywhere AND NOT new_rows.everywhere
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts @> ARRAY[lost.fact_id] AND channel_id <> lost.channel_id
        HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER facts_changed AFTER UPDATE ON facts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_facts();
CREATE OR REPLACE TRIGGER facts_deleted AFTER DELETE ON facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_facts();

CREATE OR REPLACE FUNCTION follow_deleted_summaries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts JOIN (
        SELECT guild_id, array_agg(summary_id) AS ids FROM gone GROUP BY guild_id) AS lost USING (guild_id)
    WHERE quoted_summaries && lost.ids GROUP BY lost.guild_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER channel_summaries_deleted AFTER DELETE ON channel_summaries
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_summaries();

CREATE OR REPLACE FUNCTION follow_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        UPDATE reminders SET due_at = due_at + (new_rows.starts_at - old_rows.starts_at),
            wall = to_char(wall::timestamp + (new_rows.starts_at - old_rows.starts_at), 'YYYY-MM-DD"T"HH24:MI:SS')
        FROM old_rows JOIN new_rows USING (guild_id, event_id)
        WHERE reminders.guild_id = new_rows.guild_id AND reminders.event_id = new_rows.event_id
          AND reminders.state = 'open' AND reminders.tried_at IS NULL AND new_rows.starts_at <> old_rows.starts_at;
        -- How many are interested is no reason to take back what was said of it.
        FOR lost IN
            SELECT guild_id, array_agg(event_id) AS ids FROM old_rows JOIN new_rows USING (guild_id, event_id)
            WHERE (old_rows.channel_id, old_rows.name, old_rows.description, old_rows.location, old_rows.starts_at)
                IS DISTINCT FROM
                (new_rows.channel_id, new_rows.name, new_rows.description, new_rows.location, new_rows.starts_at)
            GROUP BY guild_id
        LOOP
            PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
            WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
        END LOOP;
        RETURN NULL;
    END IF;
    -- What is long over goes because its time has come, and what was said of it may stand.
    FOR lost IN
        SELECT guild_id, array_agg(event_id) AS ids FROM old_rows
        WHERE NOT over GROUP BY guild_id
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_changed AFTER UPDATE ON events
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_events();
CREATE OR REPLACE TRIGGER events_deleted AFTER DELETE ON events
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_events();

CREATE OR REPLACE FUNCTION equip_recall() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['vector', 'pg_trgm'] LOOP
        BEGIN
            EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I', wanted);
        EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN
            NULL;
        END;
    END LOOP;
    IF to_regtype('halfvec') IS NOT NULL AND to_regclass('message_vectors') IS NULL THEN
        CREATE TABLE message_vectors (
            guild_id bigint NOT NULL,
            message_id bigint NOT NULL,
            model text NOT NULL,
            channel_id bigint NOT NULL,
            embedding halfvec NOT NULL,
            PRIMARY KEY (guild_id, message_id, model),
            FOREIGN KEY (guild_id, message_id) REFERENCES message_index ON DELETE CASCADE
        );
        CREATE INDEX message_vectors_by_channel ON message_vectors (guild_id, channel_id, message_id);
        COMMENT ON TABLE message_vectors IS 'The meaning of indexed messages as numbers, each with the model that made it. There is no such table on a server without pgvector.';
    END IF;
    IF to_regproc('similarity_op') IS NOT NULL THEN
        CREATE INDEX IF NOT EXISTS spellings_alike ON spellings USING gin (term gin_trgm_ops);
    END IF;
END $$;
COMMENT ON FUNCTION equip_recall IS 'Makes use of the extensions that this server has. Asked again at every start, because one may have been installed.';

SELECT equip_recall();
