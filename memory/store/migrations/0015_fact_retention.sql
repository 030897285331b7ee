-- How long a guild keeps facts, counted from when each was last told.

ALTER TABLE guilds ADD COLUMN fact_days integer CHECK (fact_days > 0);
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten.';

-- Before the rows are touched: being told again changes no text, so nothing that was merged from a fact needs to go.
CREATE OR REPLACE FUNCTION forget_contexts_of_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM contexts WHERE (guild_id, scope, user_id) IN (
        SELECT made.guild_id, made.scope, made.user_id FROM contexts AS made
        JOIN disturbed ON disturbed.guild_id = made.guild_id AND disturbed.fact_id = ANY (made.fact_ids)
        WHERE made.facts_digest <> facts_digest(made.guild_id, made.fact_ids)
        FOR UPDATE OF made SKIP LOCKED);
    RETURN NULL;
END $$;

ALTER TABLE facts ADD COLUMN told_at timestamp with time zone;
UPDATE facts SET told_at = valid_from;
ALTER TABLE facts ALTER COLUMN told_at SET NOT NULL;
COMMENT ON TABLE facts IS 'The ledger of what was told. subject_id NULL is the guild itself; message_id is the telling, which has a row for each person it is about; source_message_id is the message that "this" meant. It may be told to those who can read channel_id, or to everyone if its subject, who told it, said so. With valid_to it is over: superseded_by took its place, and it goes when that goes. told_at is when it was last told or confirmed, which retention counts from. A forgotten fact is deleted.';
