-- Days are told with the names that facts give people, and lose their texts when such a fact is forgotten.

ALTER TABLE days ADD COLUMN fact_ids bigint[] NOT NULL DEFAULT '{}';
COMMENT ON TABLE days IS 'A calendar day of a guild, as far as it was summarised. scope 0 is the hall, otherwise a channel; source_channels and people are those whose words it was made from, and who is mentioned in them. seen_seq: up to where its texts know the log, NULL without any; read_seq: the same for whoever is making them just now. changes rises when something that was read changes or goes, and its texts, made at seen_changes, go with it. model NULL: quoted. mended_on is the night in which it was last made anew. fact_ids are facts that told by which other names people are called.';

CREATE FUNCTION disturb_days_by_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- In the order of days, so that two who forget cannot wait for each other.
    PERFORM FROM days JOIN gone ON gone.guild_id = days.guild_id AND gone.fact_id = ANY (days.fact_ids)
        ORDER BY days.guild_id, days.scope, days.starts_at FOR UPDATE OF days;
    IF FOUND THEN
        UPDATE days SET changes = days.changes + 1 WHERE EXISTS (
            SELECT 1 FROM gone WHERE gone.guild_id = days.guild_id AND gone.fact_id = ANY (days.fact_ids));
        PERFORM forget_disturbed(guild_id) FROM (SELECT DISTINCT guild_id FROM gone) AS guild;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER facts_days_forgotten AFTER DELETE ON facts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION disturb_days_by_forgetting();
