-- From 1.0.0 to 1.1.0. Functions, triggers and comments are those of schema.sql.
-- One trigger for each cause takes away what was made of messages, facts and days, instead of one for each thing made.
DROP FUNCTION forget_indexed_with_log, index_changed_again, forget_disturbed, disturb_days, disturb_days_by_deleting,
    disturb_days_by_editing, disturb_days_by_addressing, disturb_days_long_past, disturb_days_of_closed,
    disturb_days_by_forgetting, forget_channel_summaries, forget_summaries_by_deleting, forget_summaries_by_editing,
    forget_summaries_by_addressing, forget_summaries_long_past, forget_summaries_of_closed, forget_contexts_of_days,
    forget_contexts_of_facts, forget_reminders_of_deleted, reword_reminders_of_edited, take_back_by_deleting,
    take_back_by_editing, take_back_by_forgetting, take_back_by_restating, take_back_of_days, take_back_of_summaries,
    days_hold, facts_digest CASCADE;

-- What models made of what is known of a member is one table now, and is made again.
DROP TABLE user_facts, histories, contexts, asked_about;
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

-- What a message asked for is marked as done in the transaction that does it, so that only its reply is owed.
ALTER TABLE addressed ADD COLUMN done boolean NOT NULL DEFAULT false;

-- An edit that comes before its message waits in the memory of the process that heard it; comparing with Discord finds the rest.
DROP TABLE early_edits;

-- Which process is connected as which shard is a claim like any other.
DROP TABLE gateway_leases;
ALTER TABLE claims ADD COLUMN beat bigint NOT NULL DEFAULT 0, ADD COLUMN holder text NOT NULL DEFAULT '', ADD COLUMN mark text NOT NULL DEFAULT '';

-- Where the short term of a channel begins stands with how far the channel was read.
ALTER TABLE channel_progress ADD COLUMN starts_after bigint;
INSERT INTO channel_progress AS known (guild_id, channel_id, starts_after)
SELECT guild_id, channel_id, after_id FROM context_starts
ON CONFLICT (guild_id, channel_id) DO UPDATE SET starts_after = excluded.starts_after;
DROP TABLE context_starts;

-- A server has the vectors of one model: where another is chosen, each of its vectors takes the place of an old one.
ALTER TABLE index_state DROP COLUMN next_model, DROP COLUMN next_through, DROP COLUMN has_outdated;
DELETE FROM vectors_again USING index_state AS state
WHERE state.guild_id = vectors_again.guild_id AND model IS DISTINCT FROM state.vector_model;
ALTER TABLE vectors_again DROP CONSTRAINT vectors_again_pkey, DROP COLUMN model, ADD PRIMARY KEY (guild_id, message_id);

-- Members say of an answer whether it was right.
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

-- Whoever speaks through a webhook bears a name of their own. It was not kept before: what is stored has none.
-- What is pinned, and how many reactions a message has. What stands in files is read, kept in pieces and found.
ALTER TABLE guilds ADD COLUMN webhooks bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN names_left_out text[] NOT NULL DEFAULT '{}', ADD COLUMN files jsonb NOT NULL DEFAULT '{}';
ALTER TABLE chat_history ADD COLUMN speaker text, ADD COLUMN speaker_key text,
    ADD COLUMN pinned boolean NOT NULL DEFAULT false, ADD COLUMN reactions integer NOT NULL DEFAULT 0;
CREATE INDEX chat_history_of_webhooks ON chat_history (guild_id, author_id, message_id) WHERE author_kind = 'webhook';
CREATE INDEX chat_history_of_speakers ON chat_history (guild_id, speaker_key, message_id) WHERE speaker_key IS NOT NULL;
CREATE INDEX chat_history_pinned ON chat_history (guild_id, channel_id, message_id) WHERE pinned;
CREATE INDEX chat_history_unread_texts ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "text")';
CREATE INDEX chat_history_unread_pictures ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "picture")';
CREATE INDEX chat_history_unread_voices ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "voice")';
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

-- What happened on a day is told by topic, beside what it was about for each member. Texts of days are kept.
ALTER TABLE days ADD COLUMN left_out integer NOT NULL DEFAULT 0;

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
INSERT INTO day_entries (guild_id, scope, starts_at, position, kind, user_id, text, corrected_by)
SELECT guild_id, scope, starts_at, row_number() OVER (PARTITION BY guild_id, scope, starts_at ORDER BY user_id), 'member',
    user_id, text, corrected_by FROM day_summaries;
DROP TABLE day_summaries;
CREATE UNIQUE INDEX day_entries_of_member ON day_entries (guild_id, user_id, starts_at, scope);

-- Scheduled events, and reminders that move along with them.
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
ALTER TABLE reminders ADD COLUMN event_id bigint;
CREATE INDEX reminders_by_event ON reminders (guild_id, event_id) WHERE event_id IS NOT NULL;
