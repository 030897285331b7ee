-- From 1.0.0 to 1.1.0. Functions and triggers are those of schema.sql.
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
COMMENT ON TABLE texts IS 'What a model last made of what is known of a member: of their days before today (week), of facts, today and those days (context), of the facts alone where they are many (facts). made_from is a digest of the words it was made from. It goes back to facts (fact_ids, and a digest of their rows) and to days (each with its count of changes): if any of them has changed or gone, this goes too. scope 0 is the hall, otherwise a channel; it may be told to those who can read all source_channels. asked_at is when it was last made because somebody asked.';

-- What a message asked for is marked as done in the transaction that does it, so that only its reply is owed.
ALTER TABLE addressed ADD COLUMN done boolean NOT NULL DEFAULT false;
COMMENT ON TABLE addressed IS 'Messages that were said to us. They are kept in the log, and never quoted as conversation. unanswered: it has no reply yet; whoever starts next carries it out or answers it. done: it was carried out, and only the reply is owed.';

-- An edit that comes before its message waits in the memory of the process that heard it; comparing with Discord finds the rest.
DROP TABLE early_edits;

-- Which process is connected as which shard is a claim like any other.
DROP TABLE gateway_leases;
ALTER TABLE claims ADD COLUMN beat bigint NOT NULL DEFAULT 0, ADD COLUMN holder text NOT NULL DEFAULT '', ADD COLUMN mark text NOT NULL DEFAULT '';
COMMENT ON TABLE claims IS 'Who is at work on something, so that no other process does the same; a lease that runs out when its holder dies. Of guild 0: which process is connected to Discord as which shard of how many (0: all, however many), and whose turn it is to identify. These have no end, since clocks differ: beat is raised by the holder, who counts as gone when it stands still. holder says in words which process that is, and mark tells it from all others that this machine has had.';

-- Where the short term of a channel begins stands with how far the channel was read.
ALTER TABLE channel_progress ADD COLUMN starts_after bigint;
INSERT INTO channel_progress AS known (guild_id, channel_id, starts_after)
SELECT guild_id, channel_id, after_id FROM context_starts
ON CONFLICT (guild_id, channel_id) DO UPDATE SET starts_after = excluded.starts_after;
DROP TABLE context_starts;
COMMENT ON TABLE channel_progress IS 'The channels that Discord has shown us, and how far each has been read: without a hole up to contiguous_through, into the past down to backfilled_to, by an unfinished sweep down to swept_to. asked_at is when Discord last said of one that is out of view that it still exists. Behind starts_after its short term begins, where somebody had it begin anew; nothing is deleted by that.';

-- A server has the vectors of one model: where another is chosen, each of its vectors takes the place of an old one.
ALTER TABLE index_state DROP COLUMN next_model, DROP COLUMN next_through, DROP COLUMN has_outdated;
COMMENT ON TABLE index_state IS 'Up to which seq the log of a guild is in the index, and up to which it has vectors of the model that questions are compared by.';
DELETE FROM vectors_again USING index_state AS state
WHERE state.guild_id = vectors_again.guild_id AND model IS DISTINCT FROM state.vector_model;
ALTER TABLE vectors_again DROP CONSTRAINT vectors_again_pkey, DROP COLUMN model, ADD PRIMARY KEY (guild_id, message_id);
COMMENT ON TABLE vectors_again IS 'Messages that were indexed again and wait for their vectors. The turn is another one if that happened once more meanwhile.';

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
COMMENT ON TABLE verdicts IS 'What members said of our answers: that one was right or wrong, and in a line what is right. reply_id is the first message of the answer, with which this goes; asked_in is its question, by which its receipt is known.';

-- Whoever speaks through a webhook bears a name of their own. It was not kept before: what is stored has none.
-- What is pinned, and how many reactions a message has. What stands in files is read, kept in pieces and found.
ALTER TABLE guilds ADD COLUMN webhooks bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN names_left_out text[] NOT NULL DEFAULT '{}', ADD COLUMN files jsonb NOT NULL DEFAULT '{}';
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. webhooks are those through which people speak; names_left_out are names that such speakers bear, folded, of whom nothing is stored. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs. second_look: whether a model that misses something may be asked twice. summaries: when the talk of a channel is summed up, as far as it was decided. answers: how we speak with members, and what we take from it, likewise. digest: where and when the server is told what happened in it, likewise. going are removals under way of messages that may be stored no longer; while there are any, each message is judged before it is told. heard_until is up to when edits and deletions are known, because we heard of them or compared the last days after an absence. files: which files that come with messages are read, as far as it was decided.';
ALTER TABLE chat_history ADD COLUMN speaker text, ADD COLUMN speaker_key text,
    ADD COLUMN pinned boolean NOT NULL DEFAULT false, ADD COLUMN reactions integer NOT NULL DEFAULT 0;
CREATE INDEX chat_history_of_webhooks ON chat_history (guild_id, author_id, message_id) WHERE author_kind = 'webhook';
CREATE INDEX chat_history_of_speakers ON chat_history (guild_id, speaker_key, message_id) WHERE speaker_key IS NOT NULL;
CREATE INDEX chat_history_pinned ON chat_history (guild_id, channel_id, message_id) WHERE pinned;
CREATE INDEX chat_history_unread_texts ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "text")';
CREATE INDEX chat_history_unread_pictures ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "picture")';
CREATE INDEX chat_history_unread_voices ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "voice")';
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers; of an attachment, unread says as what it is still to be read, and read what was read of it. imported: an exported file brought it and Discord has not shown it to us, so that it is no sign of a deletion if Discord does not show it. speaker is the name that whoever spoke through a webhook bore, which is no member; speaker_key is that name, folded. pinned, and how many reactions it has, are no edit: they change no seq.';
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

-- What happened on a day is told by topic, beside what it was about for each member. Texts of days are kept.
ALTER TABLE days ADD COLUMN left_out integer NOT NULL DEFAULT 0;
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
INSERT INTO day_entries (guild_id, scope, starts_at, position, kind, user_id, text, corrected_by)
SELECT guild_id, scope, starts_at, row_number() OVER (PARTITION BY guild_id, scope, starts_at ORDER BY user_id), 'member',
    user_id, text, corrected_by FROM day_summaries;
DROP TABLE day_summaries;
CREATE UNIQUE INDEX day_entries_of_member ON day_entries (guild_id, user_id, starts_at, scope);
COMMENT ON TABLE day_entries IS 'What a day was about: for one member (kind member), or for all, by topic: what happened, was decided or planned, the weightiest first, each with the messages that say it (cites). It may be told to those who can read all source_channels of the day. What somebody corrected of a member stands while the day is made anew, until something that it was made from changes.';

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
COMMENT ON TABLE events IS 'Scheduled events of a guild that are to come or took place just now, as Discord lists them. channel_id is a voice or stage channel, NULL: elsewhere. interested is how many said so. One that took place goes a day later, and is over then: what was said of it may stand. One that was cancelled goes at once.';
ALTER TABLE reminders ADD COLUMN event_id bigint;
CREATE INDEX reminders_by_event ON reminders (guild_id, event_id) WHERE event_id IS NOT NULL;
COMMENT ON TABLE reminders IS 'What members want to be reminded of. reminder_id is the message (by_message) or the command that asked for it; it goes with that message and with about_id, which it points at. wall is what a clock in zone shows when it is due, without a zone, of a repeated one when it was due first; due_at is that moment, or the next one. in_hall: everyone could read the place it was asked in; readers are those who could see it elsewhere, NULL if too many or not known. A process that delivers it has it until claimed_until, and nobody else; tried_at is when somebody first set about it, and tries how often. It is forgotten at ends_at. event_id is the scheduled event that its time was counted from, and moves along with.';
