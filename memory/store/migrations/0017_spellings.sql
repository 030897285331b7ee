-- Each term of a guild once, for looking up what a mistyped word was meant to be: by channel there are ten times as many.

CREATE TABLE spellings (
    guild_id bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    PRIMARY KEY (guild_id, term)
);
COMMENT ON TABLE spellings IS 'The terms that are counted anywhere in a guild, to find those that look like a mistyped word. How often one occurs where somebody can read, and whether at all, is for term_counts to say.';
INSERT INTO spellings (guild_id, term) SELECT DISTINCT guild_id, term FROM term_counts;
DROP INDEX IF EXISTS term_counts_alike;

CREATE OR REPLACE FUNCTION forget_indexed(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    unused text[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('index', of_guild));
    WITH gone AS (
        DELETE FROM message_index WHERE guild_id = of_guild AND message_id = ANY (ids)
        RETURNING channel_id, stretch_id, length, terms
    ), lost AS (
        SELECT lexeme, channel_id, count(*) AS messages FROM gone, unnest(terms) GROUP BY lexeme, channel_id
    ), last_ones AS (
        DELETE FROM term_counts AS known USING lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.channel_id = lost.channel_id
          AND known.messages <= lost.messages
        RETURNING known.term
    ), fewer AS (
        UPDATE term_counts AS known SET messages = known.messages - lost.messages FROM lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.channel_id = lost.channel_id
          AND known.messages > lost.messages
    ), talk AS (
        SELECT stretch_id, count(*) AS messages, sum(length) AS length FROM gone GROUP BY stretch_id
    ), ended AS (
        DELETE FROM stretches AS known USING talk
        WHERE known.guild_id = of_guild AND known.stretch_id = talk.stretch_id AND known.messages <= talk.messages
        RETURNING known.channel_id
    ), shorter AS (
        UPDATE stretches AS known SET messages = known.messages - talk.messages, length = known.length - talk.length
        FROM talk
        WHERE known.guild_id = of_guild AND known.stretch_id = talk.stretch_id AND known.messages > talk.messages
    ), channels AS (
        SELECT channel_id, count(*) AS messages, sum(length) AS length,
            (SELECT count(*) FROM ended WHERE ended.channel_id = gone.channel_id) AS stretches
        FROM gone GROUP BY channel_id
    ), less_said AS (
        UPDATE index_channels AS known
        SET messages = known.messages - channels.messages, length = known.length - channels.length,
            stretches = known.stretches - channels.stretches
        FROM channels WHERE known.guild_id = of_guild AND known.channel_id = channels.channel_id
    )
    SELECT array_agg(DISTINCT term) INTO unused FROM last_ones;
    -- A statement of its own, which sees that they are gone.
    DELETE FROM spellings AS known WHERE guild_id = of_guild AND term = ANY (unused) AND NOT EXISTS (
        SELECT FROM term_counts WHERE term_counts.guild_id = of_guild AND term_counts.term = known.term);
END $$;

CREATE OR REPLACE FUNCTION equip_recall() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['vector', 'pg_trgm'] LOOP
        BEGIN
            EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I', wanted);
        EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN
            NULL;
        END;
    END LOOP;
    IF to_regtype('halfvec') IS NOT NULL AND to_regclass('message_vectors') IS NULL THEN
        CREATE TABLE message_vectors (
            guild_id bigint NOT NULL,
            message_id bigint NOT NULL,
            model text NOT NULL,
            channel_id bigint NOT NULL,
            embedding halfvec NOT NULL,
            PRIMARY KEY (guild_id, message_id, model),
            FOREIGN KEY (guild_id, message_id) REFERENCES message_index ON DELETE CASCADE
        );
        CREATE INDEX message_vectors_by_channel ON message_vectors (guild_id, channel_id, message_id);
        COMMENT ON TABLE message_vectors IS 'The meaning of indexed messages as numbers, each with the model that made it. There is no such table on a server without pgvector.';
    END IF;
    IF to_regproc('similarity_op') IS NOT NULL THEN
        CREATE INDEX IF NOT EXISTS spellings_alike ON spellings USING gin (term gin_trgm_ops);
    END IF;
END $$;

SELECT equip_recall();
