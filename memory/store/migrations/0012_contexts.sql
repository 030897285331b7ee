-- What is known of a member in one text, and their last days in one: kept, because a model was paid for it.

CREATE TABLE asked_about (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE asked_about IS 'When a member last asked or was asked about. Only of those of the last week contexts are made ahead.';

CREATE TABLE histories (
    guild_id bigint NOT NULL,
    scope bigint NOT NULL,
    user_id bigint NOT NULL,
    last_day date NOT NULL,
    version integer NOT NULL,
    made_from text NOT NULL,
    day_starts timestamp with time zone[] NOT NULL,
    day_changes bigint[] NOT NULL,
    source_channels bigint[] NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    model text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, scope, user_id, last_day)
);
COMMENT ON TABLE histories IS 'A member''s days before today in one text, by the last of them. made_from is a digest of what the days said; day_starts and day_changes are the days, each with its count of changes: one that has another by now takes this text along. It may be told to those who can read all source_channels.';

CREATE TABLE contexts (
    guild_id bigint NOT NULL,
    scope bigint NOT NULL,
    user_id bigint NOT NULL,
    made_on date NOT NULL,
    version integer NOT NULL,
    facts_hash text NOT NULL,
    today_hash text NOT NULL,
    history_hash text NOT NULL,
    fact_ids bigint[] NOT NULL,
    facts_digest text NOT NULL,
    day_starts timestamp with time zone[] NOT NULL,
    day_changes bigint[] NOT NULL,
    source_channels bigint[] NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    model text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, scope, user_id)
);
COMMENT ON TABLE contexts IS 'The last that a model merged of a member''s facts, today and the days before. The hashes tell of which texts. The facts (fact_ids, and a digest of their rows) and the days (as in histories) are what it goes back to: if any of them has changed or gone, this goes too. scope 0 is the hall, otherwise a channel; it may be told to those who can read all source_channels.';

CREATE FUNCTION days_hold(of_guild bigint, of_scope bigint, starts timestamp with time zone[], counts bigint[])
    RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (
        SELECT 1 FROM unnest(starts, counts) AS seen (starts_at, changes)
        LEFT JOIN days ON days.guild_id = of_guild AND days.scope = of_scope AND days.starts_at = seen.starts_at
        WHERE days.changes IS DISTINCT FROM seen.changes)
$$;
COMMENT ON FUNCTION days_hold IS 'Whether nothing has changed or gone of what these days were made from, and they are still there.';

CREATE FUNCTION facts_digest(of_guild bigint, ids bigint[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(coalesce(string_agg(
        concat_ws(' ', fact_id, standing, channel_id, everywhere, text), E'\n' ORDER BY fact_id), ''), 'UTF8')), 'hex')
    FROM facts WHERE guild_id = of_guild AND fact_id = ANY (ids) AND valid_to IS NULL
$$;
COMMENT ON FUNCTION facts_digest IS 'Tells whether facts are as they were: what is over or forgotten is missing in it.';

CREATE FUNCTION forget_contexts_of_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Whoever holds a row just now makes it anew or takes it away, and nobody is told what does not hold.
    DELETE FROM contexts WHERE (guild_id, scope, user_id) IN (
        SELECT made.guild_id, made.scope, made.user_id FROM contexts AS made
        JOIN disturbed ON disturbed.guild_id = made.guild_id AND disturbed.scope = made.scope
            AND disturbed.starts_at = ANY (made.day_starts)
        WHERE NOT days_hold(made.guild_id, made.scope, made.day_starts, made.day_changes)
        FOR UPDATE OF made SKIP LOCKED);
    DELETE FROM histories WHERE (guild_id, scope, user_id, last_day) IN (
        SELECT made.guild_id, made.scope, made.user_id, made.last_day FROM histories AS made
        JOIN disturbed ON disturbed.guild_id = made.guild_id AND disturbed.scope = made.scope
            AND disturbed.starts_at = ANY (made.day_starts)
        WHERE NOT days_hold(made.guild_id, made.scope, made.day_starts, made.day_changes)
        FOR UPDATE OF made SKIP LOCKED);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION forget_contexts_of_days IS 'Takes away what was made from days whose sources have changed.';
CREATE TRIGGER days_contexts_changed AFTER UPDATE ON days
    REFERENCING OLD TABLE AS disturbed FOR EACH STATEMENT EXECUTE FUNCTION forget_contexts_of_days();
CREATE TRIGGER days_contexts_deleted AFTER DELETE ON days
    REFERENCING OLD TABLE AS disturbed FOR EACH STATEMENT EXECUTE FUNCTION forget_contexts_of_days();

CREATE FUNCTION forget_contexts_of_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM contexts WHERE (guild_id, scope, user_id) IN (
        SELECT made.guild_id, made.scope, made.user_id FROM contexts AS made
        JOIN disturbed ON disturbed.guild_id = made.guild_id AND disturbed.fact_id = ANY (made.fact_ids)
        FOR UPDATE OF made SKIP LOCKED);
    RETURN NULL;
END $$;
COMMENT ON FUNCTION forget_contexts_of_facts IS 'Takes away what was merged from facts that changed, ended or were forgotten.';
CREATE TRIGGER facts_contexts_changed AFTER UPDATE ON facts
    REFERENCING OLD TABLE AS disturbed FOR EACH STATEMENT EXECUTE FUNCTION forget_contexts_of_facts();
CREATE TRIGGER facts_contexts_deleted AFTER DELETE ON facts
    REFERENCING OLD TABLE AS disturbed FOR EACH STATEMENT EXECUTE FUNCTION forget_contexts_of_facts();
