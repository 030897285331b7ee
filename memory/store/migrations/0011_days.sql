-- Days of a guild, told in a few sentences for each member. Whatever they were made from takes them along when it goes.

ALTER TABLE guilds ADD COLUMN summary_days integer CHECK (summary_days > 0);
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more.';

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
    PRIMARY KEY (guild_id, scope, starts_at)
);
COMMENT ON TABLE days IS 'A calendar day of a guild, as far as it was summarised. scope 0 is the hall, otherwise a channel; source_channels and people are those whose words it was made from, and who is mentioned in them. seen_seq: up to where its texts know the log, NULL without any; read_seq: the same for whoever is making them just now. changes rises when something that was read changes or goes, and its texts, made at seen_changes, go with it. model NULL: quoted. mended_on is the night in which it was last made anew.';

CREATE TABLE day_summaries (
    guild_id bigint NOT NULL,
    scope bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    PRIMARY KEY (guild_id, scope, starts_at, user_id),
    FOREIGN KEY (guild_id, scope, starts_at) REFERENCES days ON DELETE CASCADE
);
CREATE INDEX day_summaries_of_member ON day_summaries (guild_id, user_id, starts_at);
COMMENT ON TABLE day_summaries IS 'What a day was about for one member. It may be told to those who can read all source_channels of the day.';

CREATE FUNCTION forget_disturbed(of_guild bigint) RETURNS void LANGUAGE sql AS $$
    DELETE FROM day_summaries AS told USING days
    WHERE days.guild_id = of_guild AND days.changes <> days.seen_changes
      AND told.guild_id = of_guild AND told.scope = days.scope AND told.starts_at = days.starts_at
$$;
COMMENT ON FUNCTION forget_disturbed IS 'Takes the texts of days away of which something changed since they were made.';

CREATE FUNCTION disturb_days(of_guild bigint, channels bigint[], times timestamp with time zone[], seqs bigint[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- Days begin at full quarters of an hour everywhere, so many messages are few quarters.
    UPDATE days AS known SET changes = known.changes + 1 FROM (
        SELECT DISTINCT days.scope, days.starts_at FROM (
            SELECT channel_id, date_bin('15 minutes', sent_at, TIMESTAMP WITH TIME ZONE 'epoch') AS quarter, min(seq) AS seq
            FROM unnest(channels, times, seqs) AS lost (channel_id, sent_at, seq) GROUP BY 1, 2) AS lost
        JOIN days ON days.guild_id = of_guild AND days.starts_at <= lost.quarter AND days.ends_at > lost.quarter
            AND days.read_seq >= lost.seq AND lost.channel_id = ANY (days.source_channels)) AS told
    WHERE known.guild_id = of_guild AND known.scope = told.scope AND known.starts_at = told.starts_at;
    IF FOUND THEN
        PERFORM forget_disturbed(of_guild);
    END IF;
END $$;
COMMENT ON FUNCTION disturb_days IS 'Takes the texts of days away that were made from messages which changed or went.';

CREATE FUNCTION disturb_days_by_deleting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- What a guild no longer keeps may live on in its summaries, as long as it keeps those.
    PERFORM disturb_days(gone.guild_id, array_agg(gone.channel_id), array_agg(gone.sent_at), array_agg(gone.seq))
    FROM gone JOIN guilds ON guilds.guild_id = gone.guild_id
    WHERE guilds.kept_since IS NULL OR gone.sent_at >= guilds.kept_since
    GROUP BY gone.guild_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_days_deleted AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_by_deleting();

CREATE FUNCTION disturb_days_by_editing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Links that were looked up change no seq. All else does, and what has a new one would not be known as read again.
    PERFORM disturb_days(guild_id, array_agg(channel_id), array_agg(sent_at), array_agg(seq)) FROM (
        SELECT guild_id, old_rows.channel_id, old_rows.sent_at, old_rows.seq
        FROM old_rows JOIN new_rows USING (guild_id, message_id) WHERE new_rows.seq <> old_rows.seq) AS changed
    GROUP BY guild_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_days_edited AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_by_editing();

CREATE FUNCTION disturb_days_by_addressing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM disturb_days(said.guild_id, array_agg(said.channel_id), array_agg(said.sent_at), array_agg(said.seq))
    FROM noted JOIN chat_history AS said USING (guild_id, message_id) GROUP BY said.guild_id;
    RETURN NULL;
END $$;
CREATE TRIGGER addressed_days_noted AFTER INSERT ON addressed
    REFERENCING NEW TABLE AS noted FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_by_addressing();

CREATE FUNCTION disturb_days_long_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- What a guild no longer keeps is not in the log to be deleted, but may be in a summary. An id tells its time.
    UPDATE days SET changes = days.changes + 1 FROM guilds
    WHERE guilds.guild_id = days.guild_id AND days.starts_at < guilds.kept_since AND EXISTS (
        SELECT 1 FROM gone
        WHERE gone.guild_id = days.guild_id AND gone.channel_id = ANY (days.source_channels)
          AND days.starts_at <= to_timestamp(((gone.message_id >> 22) + 1420070400000) / 1000.0)
          AND days.ends_at > to_timestamp(((gone.message_id >> 22) + 1420070400000) / 1000.0));
    IF FOUND THEN
        PERFORM forget_disturbed(guild_id) FROM (SELECT DISTINCT guild_id FROM gone) AS guild;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER tombstones_days_noted AFTER INSERT ON tombstones
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_long_past();

CREATE FUNCTION disturb_days_of_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE days SET changes = days.changes + 1 FROM guilds
    WHERE guilds.guild_id = days.guild_id AND days.starts_at < guilds.kept_since AND EXISTS (
        SELECT 1 FROM gone
        WHERE gone.guild_id = days.guild_id AND gone.channel_id = ANY (days.source_channels));
    IF FOUND THEN
        PERFORM forget_disturbed(guild_id) FROM (SELECT DISTINCT guild_id FROM gone) AS guild;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER closed_channels_days_noted AFTER INSERT ON closed_channels
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_of_closed();
