-- One trigger for each cause takes away what was made of messages, facts and days, instead of one for each thing made.
DROP TRIGGER chat_history_deleted ON chat_history;
DROP TRIGGER addressed_noted ON addressed;
DROP TRIGGER chat_history_changed ON chat_history;
DROP TRIGGER chat_history_days_deleted ON chat_history;
DROP TRIGGER chat_history_days_edited ON chat_history;
DROP TRIGGER addressed_days_noted ON addressed;
DROP TRIGGER tombstones_days_noted ON tombstones;
DROP TRIGGER closed_channels_days_noted ON closed_channels;
DROP TRIGGER facts_days_forgotten ON facts;
DROP TRIGGER chat_history_summaries_deleted ON chat_history;
DROP TRIGGER chat_history_summaries_edited ON chat_history;
DROP TRIGGER addressed_summaries_noted ON addressed;
DROP TRIGGER tombstones_summaries_noted ON tombstones;
DROP TRIGGER closed_channels_summaries_noted ON closed_channels;
DROP TRIGGER days_contexts_changed ON days;
DROP TRIGGER days_contexts_deleted ON days;
DROP TRIGGER facts_contexts_changed ON facts;
DROP TRIGGER facts_contexts_deleted ON facts;
DROP TRIGGER tombstones_reminders_noted ON tombstones;
DROP TRIGGER chat_history_reminders_edited ON chat_history;
DROP TRIGGER chat_history_receipts_deleted ON chat_history;
DROP TRIGGER chat_history_receipts_edited ON chat_history;
DROP TRIGGER facts_receipts_forgotten ON facts;
DROP TRIGGER facts_receipts_restated ON facts;
DROP TRIGGER days_receipts_changed ON days;
DROP TRIGGER channel_summaries_receipts_gone ON channel_summaries;
DROP FUNCTION forget_indexed_with_log;
DROP FUNCTION index_changed_again;
DROP FUNCTION forget_disturbed;
DROP FUNCTION disturb_days;
DROP FUNCTION disturb_days_by_deleting;
DROP FUNCTION disturb_days_by_editing;
DROP FUNCTION disturb_days_by_addressing;
DROP FUNCTION disturb_days_long_past;
DROP FUNCTION disturb_days_of_closed;
DROP FUNCTION disturb_days_by_forgetting;
DROP FUNCTION forget_channel_summaries;
DROP FUNCTION forget_summaries_by_deleting;
DROP FUNCTION forget_summaries_by_editing;
DROP FUNCTION forget_summaries_by_addressing;
DROP FUNCTION forget_summaries_long_past;
DROP FUNCTION forget_summaries_of_closed;
DROP FUNCTION forget_contexts_of_days;
DROP FUNCTION forget_contexts_of_facts;
DROP FUNCTION forget_reminders_of_deleted;
DROP FUNCTION reword_reminders_of_edited;
DROP FUNCTION take_back_by_deleting;
DROP FUNCTION take_back_by_editing;
DROP FUNCTION take_back_by_forgetting;
DROP FUNCTION take_back_by_restating;
DROP FUNCTION take_back_of_days;
DROP FUNCTION take_back_of_summaries;
DROP FUNCTION days_hold;
DROP FUNCTION facts_digest;

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

CREATE FUNCTION text_holds(made texts) RETURNS boolean LANGUAGE sql STABLE AS $$
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

CREATE FUNCTION invalidate_days(of_guild bigint, channels bigint[], times timestamp with time zone[], seqs bigint[])
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

CREATE FUNCTION invalidate_days_of_facts(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE sql AS $$
    -- In the order of days, so that two who forget cannot wait for each other.
    UPDATE days AS known SET changes = known.changes + 1 FROM (
        SELECT scope, starts_at FROM days WHERE guild_id = of_guild AND fact_ids && ids ORDER BY scope, starts_at FOR UPDATE) AS told
    WHERE known.guild_id = of_guild AND known.scope = told.scope AND known.starts_at = told.starts_at
$$;
COMMENT ON FUNCTION invalidate_days_of_facts IS 'Counts a change for each day that calls people as these facts did.';

CREATE FUNCTION forget_channel_summaries(of_guild bigint, channels bigint[], ids bigint[]) RETURNS void LANGUAGE sql AS $$
    DELETE FROM channel_summaries AS told USING unnest(channels, ids) AS lost (channel_id, message_id)
    WHERE told.guild_id = of_guild AND told.channel_id = lost.channel_id
      AND told.last_id >= lost.message_id AND told.first_id <= lost.message_id
$$;
COMMENT ON FUNCTION forget_channel_summaries IS 'Takes the summaries of channels away that cover messages which changed or went.';

CREATE FUNCTION follow_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM gone GROUP BY guild_id;
    DELETE FROM index_again USING gone
    WHERE index_again.guild_id = gone.guild_id AND index_again.message_id = gone.message_id;
    -- What a guild no longer keeps may live on in its summaries, as long as it keeps those, and in what was answered.
    FOR lost IN
        SELECT gone.guild_id, array_agg(message_id) AS ids, array_agg(channel_id) AS channels, array_agg(sent_at) AS times,
            array_agg(seq) AS seqs, array_agg(message_id) FILTER (WHERE author_kind = 'person') AS said,
            array_agg(channel_id) FILTER (WHERE author_kind = 'person') AS said_in
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
CREATE TRIGGER chat_history_deleted AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_messages();

CREATE FUNCTION follow_edited_messages() RETURNS trigger LANGUAGE plpgsql AS $$
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
    FOR lost IN
        SELECT guild_id, array_agg(message_id) AS ids, array_agg(old_rows.channel_id) AS channels,
            array_agg(old_rows.sent_at) AS times, array_agg(old_rows.seq) AS seqs,
            array_agg(message_id) FILTER (WHERE old_rows.author_kind = 'person') AS said,
            array_agg(old_rows.channel_id) FILTER (WHERE old_rows.author_kind = 'person') AS said_in
        FROM old_rows JOIN new_rows USING (guild_id, message_id)
        WHERE new_rows.seq <> old_rows.seq AND old_rows.author_kind <> 'self' GROUP BY guild_id
    LOOP
        PERFORM invalidate_days(lost.guild_id, lost.channels, lost.times, lost.seqs);
        PERFORM forget_channel_summaries(lost.guild_id, lost.said_in, lost.said);
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_messages && lost.ids HAVING count(*) > 0;
    END LOOP;
    -- Words that are not in the message any more are not said again. The reminder stays, and points at the message.
    UPDATE reminders SET text = '' FROM new_rows
    WHERE reminders.guild_id = new_rows.guild_id AND reminders.reminder_id = new_rows.message_id
      AND strpos(new_rows.text, reminders.text) = 0;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_edited AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION follow_edited_messages();

CREATE FUNCTION follow_addressed_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)),
        forget_channel_summaries(guild_id, array_agg(channel_id), array_agg(message_id)) FROM noted GROUP BY guild_id;
    DELETE FROM index_again USING noted
    WHERE index_again.guild_id = noted.guild_id AND index_again.message_id = noted.message_id;
    PERFORM invalidate_days(said.guild_id, array_agg(said.channel_id), array_agg(said.sent_at), array_agg(said.seq))
    FROM noted JOIN chat_history AS said USING (guild_id, message_id) GROUP BY said.guild_id;
    RETURN NULL;
END $$;
CREATE TRIGGER addressed_noted AFTER INSERT ON addressed
    REFERENCING NEW TABLE AS noted FOR EACH STATEMENT EXECUTE FUNCTION follow_addressed_messages();

CREATE FUNCTION follow_tombstones() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER tombstones_noted AFTER INSERT ON tombstones
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_tombstones();

CREATE FUNCTION follow_closed_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- At once and for all of it: its messages may be so many that they go some at a time.
    UPDATE days SET changes = days.changes + 1 WHERE EXISTS (
        SELECT 1 FROM gone
        WHERE gone.guild_id = days.guild_id AND gone.channel_id = ANY (days.source_channels));
    DELETE FROM channel_summaries AS told USING gone
    WHERE told.guild_id = gone.guild_id AND told.channel_id = gone.channel_id;
    RETURN NULL;
END $$;
CREATE TRIGGER closed_channels_noted AFTER INSERT ON closed_channels
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_closed_channels();

CREATE FUNCTION forget_texts(of_guild bigint, starts timestamp with time zone[], ids bigint[])
    RETURNS void LANGUAGE sql AS $$
    -- Whoever holds a row just now makes it anew or takes it away, and nobody is told what does not hold.
    DELETE FROM texts WHERE (guild_id, kind, scope, user_id) IN (
        SELECT made.guild_id, made.kind, made.scope, made.user_id FROM texts AS made
        WHERE made.guild_id = of_guild AND (made.day_starts && starts OR made.fact_ids && ids) AND NOT text_holds(made)
        FOR UPDATE OF made SKIP LOCKED)
$$;
COMMENT ON FUNCTION forget_texts IS 'Takes away what was made from these days and facts, and does not hold any more.';

CREATE FUNCTION follow_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        -- A correction counts for what was made from the day, and leaves its texts as they are.
        DELETE FROM day_summaries AS told USING new_rows
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
CREATE TRIGGER days_changed AFTER UPDATE ON days
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_days();
CREATE TRIGGER days_deleted AFTER DELETE ON days
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_days();

CREATE FUNCTION follow_facts() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER facts_changed AFTER UPDATE ON facts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_facts();
CREATE TRIGGER facts_deleted AFTER DELETE ON facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_facts();

CREATE FUNCTION follow_deleted_summaries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM take_back(lost.guild_id, array_agg(asked_in), 'source') FROM receipts JOIN (
        SELECT guild_id, array_agg(summary_id) AS ids FROM gone GROUP BY guild_id) AS lost USING (guild_id)
    WHERE quoted_summaries && lost.ids GROUP BY lost.guild_id;
    RETURN NULL;
END $$;
CREATE TRIGGER channel_summaries_deleted AFTER DELETE ON channel_summaries
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_deleted_summaries();
