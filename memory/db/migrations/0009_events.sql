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

CREATE FUNCTION follow_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER events_changed AFTER UPDATE ON events
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_events();
CREATE TRIGGER events_deleted AFTER DELETE ON events
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_events();

-- What is pinned, and how many reactions a message has.
ALTER TABLE chat_history ADD COLUMN pinned boolean NOT NULL DEFAULT false, ADD COLUMN reactions integer NOT NULL DEFAULT 0;
CREATE INDEX chat_history_pinned ON chat_history (guild_id, channel_id, message_id) WHERE pinned;
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers; of an attachment, unread says as what it is still to be read, and read what was read of it. imported: an exported file brought it and Discord has not shown it to us, so that it is no sign of a deletion if Discord does not show it. speaker is the name that whoever spoke through a webhook bore, which is no member; speaker_key is that name, folded. pinned, and how many reactions it has, are no edit: they change no seq.';
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
