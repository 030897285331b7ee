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
