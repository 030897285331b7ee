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
ALTER TABLE guilds ADD COLUMN webhooks bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN names_left_out text[] NOT NULL DEFAULT '{}';
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. webhooks are those through which people speak; names_left_out are names that such speakers bear, folded, of whom nothing is stored. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs. second_look: whether a model that misses something may be asked twice. summaries: when the talk of a channel is summed up, as far as it was decided. answers: how we speak with members, and what we take from it, likewise. digest: where and when the server is told what happened in it, likewise. going are removals under way of messages that may be stored no longer; while there are any, each message is judged before it is told. heard_until is up to when edits and deletions are known, because we heard of them or compared the last days after an absence.';
ALTER TABLE chat_history ADD COLUMN speaker text, ADD COLUMN speaker_key text;
CREATE INDEX chat_history_of_webhooks ON chat_history (guild_id, author_id, message_id) WHERE author_kind = 'webhook';
CREATE INDEX chat_history_of_speakers ON chat_history (guild_id, speaker_key, message_id) WHERE speaker_key IS NOT NULL;
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers. imported: an exported file brought it and Discord has not shown it to us, so that it is no sign of a deletion if Discord does not show it. speaker is the name that whoever spoke through a webhook bore, which is no member; speaker_key is that name, folded.';

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

CREATE OR REPLACE FUNCTION follow_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM gone GROUP BY guild_id;
    DELETE FROM index_again USING gone
    WHERE index_again.guild_id = gone.guild_id AND index_again.message_id = gone.message_id;
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
    UPDATE reminders SET text = '' FROM new_rows
    WHERE reminders.guild_id = new_rows.guild_id AND reminders.reminder_id = new_rows.message_id
      AND strpos(new_rows.text, reminders.text) = 0;
    RETURN NULL;
END $$;
