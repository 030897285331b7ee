-- What stands in files that come with messages is read, kept in pieces and found.
ALTER TABLE guilds ADD COLUMN files jsonb NOT NULL DEFAULT '{}';
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. webhooks are those through which people speak; names_left_out are names that such speakers bear, folded, of whom nothing is stored. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs. second_look: whether a model that misses something may be asked twice. summaries: when the talk of a channel is summed up, as far as it was decided. answers: how we speak with members, and what we take from it, likewise. digest: where and when the server is told what happened in it, likewise. going are removals under way of messages that may be stored no longer; while there are any, each message is judged before it is told. heard_until is up to when edits and deletions are known, because we heard of them or compared the last days after an absence. files: which files that come with messages are read, as far as it was decided.';
CREATE INDEX chat_history_unread_texts ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "text")';
CREATE INDEX chat_history_unread_pictures ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "picture")';
CREATE INDEX chat_history_unread_voices ON chat_history (guild_id, message_id) WHERE extras @? '$.attachments[*] ? (@.unread == "voice")';
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers; of an attachment, unread says as what it is still to be read, and read what was read of it. imported: an exported file brought it and Discord has not shown it to us, so that it is no sign of a deletion if Discord does not show it. speaker is the name that whoever spoke through a webhook bore, which is no member; speaker_key is that name, folded.';

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

CREATE FUNCTION keep_what_was_read(arrived jsonb, known jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
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
    UPDATE reminders SET text = '' FROM new_rows
    WHERE reminders.guild_id = new_rows.guild_id AND reminders.reminder_id = new_rows.message_id
      AND strpos(new_rows.text, reminders.text) = 0;
    RETURN NULL;
END $$;
