-- Receipts of answers, changes that can be undone, vetoes, hidden facts, channels erased by managers, and the audit log.

ALTER TABLE guilds ADD COLUMN facts_about_others boolean NOT NULL DEFAULT true;
ALTER TABLE guilds ADD COLUMN moderators_may text NOT NULL DEFAULT 'hide'
    CHECK (moderators_may IN ('nothing', 'hide', 'remove'));
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs.';

CREATE TABLE channel_erasures (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    through_message_id bigint NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE channel_erasures IS 'Up to which message nothing of a channel and its threads may be stored, because a manager had it erased. Kept like erasures.';

ALTER TABLE facts ADD COLUMN hidden_at timestamp with time zone;
ALTER TABLE facts ADD COLUMN hidden_by bigint;
ALTER TABLE facts ADD CONSTRAINT facts_are_hidden_by_somebody CHECK ((hidden_at IS NULL) = (hidden_by IS NULL));
COMMENT ON TABLE facts IS 'The ledger of what was told. subject_id NULL is the guild itself; message_id is the telling, which has a row for each person it is about; source_message_id is the message that "this" meant. It may be told to those who can read channel_id, or to everyone if its subject, who told it, said so. With valid_to it is over: superseded_by took its place, and it goes when that goes. told_at is when it was last told or confirmed, which retention counts from. With hidden_at it is told to nobody but its subject, until it is shown again. A forgotten fact is deleted.';

CREATE OR REPLACE FUNCTION facts_digest(of_guild bigint, ids bigint[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(coalesce(string_agg(
        concat_ws(' ', fact_id, standing, channel_id, everywhere, text), E'\n' ORDER BY fact_id), ''), 'UTF8')), 'hex')
    FROM facts WHERE guild_id = of_guild AND fact_id = ANY (ids) AND valid_to IS NULL AND hidden_at IS NULL
$$;
COMMENT ON FUNCTION facts_digest IS 'Tells whether facts are as they were: what is over, hidden or forgotten is missing in it.';

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
    kind text NOT NULL CHECK (kind IN ('remembered', 'forgotten', 'edited', 'vetoed', 'hidden', 'lapsed')),
    made_by bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    fact_ids bigint[] NOT NULL,
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
COMMENT ON TABLE changes IS 'Changes of the ledger that can be undone, for a day. fact_ids are facts that it made or changed; before are the rows that Undo puts back, as they were. subjects, tellers, channels and messages (tellings, and what "this" meant) are those of all these facts, so that whatever erases them finds this. kind lapsed: the message that told it was deleted, and its teller may keep it all the same.';

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
    take_back_at timestamp with time zone,
    because text CHECK (because IN ('source', 'question', 'forgotten', 'lapsed')),
    tries integer NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, asked_in),
    CONSTRAINT receipts_say_why CHECK ((take_back_at IS NULL) = (because IS NULL))
);
CREATE INDEX receipts_by_reply ON receipts USING gin (message_ids);
CREATE INDEX receipts_by_message ON receipts USING gin (quoted_messages);
CREATE INDEX receipts_by_fact ON receipts USING gin (quoted_facts);
CREATE INDEX receipts_by_day ON receipts USING gin (day_starts);
CREATE INDEX receipts_to_take_back ON receipts (take_back_at) WHERE take_back_at IS NOT NULL;
COMMENT ON TABLE receipts IS 'What our replies were made from, by the message that asked for them: all that a reply could have used, and what it quotes, cites or shares words with. Ids, and never more. message_ids are our replies, as far as they are known; whatever of ours replies to asked_in is one as well. From take_back_at on (the epoch: at once) they have to be taken back on Discord, because something that they quote is gone or changed; then this row goes too.';

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

CREATE FUNCTION take_back(of_guild bigint, questions bigint[], why text) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE FUNCTION take_back_by_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    -- What a guild no longer keeps may live on in what was answered meanwhile.
    FOR lost IN
        SELECT gone.guild_id, array_agg(gone.message_id) AS ids FROM gone
        JOIN guilds ON guilds.guild_id = gone.guild_id
        WHERE gone.author_kind <> 'self' AND (guilds.kept_since IS NULL OR gone.sent_at >= guilds.kept_since)
        GROUP BY gone.guild_id
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'question') FROM receipts
        WHERE guild_id = lost.guild_id AND asked_in = ANY (lost.ids) HAVING count(*) > 0;
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_receipts_deleted AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION take_back_by_deleting();

CREATE FUNCTION take_back_by_editing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    FOR lost IN
        SELECT guild_id, array_agg(message_id) AS ids FROM old_rows JOIN new_rows USING (guild_id, message_id)
        WHERE new_rows.seq <> old_rows.seq AND new_rows.author_kind <> 'self' GROUP BY guild_id
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_receipts_edited AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION take_back_by_editing();

CREATE FUNCTION take_back_by_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    FOR lost IN SELECT guild_id, array_agg(fact_id) AS ids FROM gone GROUP BY guild_id LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER facts_receipts_forgotten AFTER DELETE ON facts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION take_back_by_forgetting();

CREATE FUNCTION take_back_by_restating() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    -- What is over was true when it was said; what says something else, or nothing, was not to be said.
    FOR lost IN
        SELECT guild_id, array_agg(fact_id) AS ids FROM old_rows JOIN new_rows USING (guild_id, fact_id)
        WHERE new_rows.text <> old_rows.text OR (new_rows.hidden_at IS NOT NULL AND old_rows.hidden_at IS NULL)
        GROUP BY guild_id
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts && lost.ids HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER facts_receipts_restated AFTER UPDATE ON facts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION take_back_by_restating();

CREATE FUNCTION take_back_of_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
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
    RETURN NULL;
END $$;
CREATE TRIGGER days_receipts_changed AFTER UPDATE ON days
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION take_back_of_days();

-- Nothing of ours is in a day's summary, so a reply that is taken back disturbs none.
CREATE OR REPLACE FUNCTION disturb_days_by_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- What a guild no longer keeps may live on in its summaries, as long as it keeps those.
    PERFORM disturb_days(gone.guild_id, array_agg(gone.channel_id), array_agg(gone.sent_at), array_agg(gone.seq))
    FROM gone JOIN guilds ON guilds.guild_id = gone.guild_id
    WHERE gone.author_kind <> 'self' AND (guilds.kept_since IS NULL OR gone.sent_at >= guilds.kept_since)
    GROUP BY gone.guild_id;
    RETURN NULL;
END $$;
