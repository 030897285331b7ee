-- Recall: an index behind the log, kept true to it whoever deletes or edits.

CREATE INDEX chat_history_by_seq ON chat_history (guild_id, seq);

CREATE TABLE message_index (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    author_id bigint NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    stretch_id bigint NOT NULL,
    length integer NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (guild_id, message_id)
);
CREATE INDEX message_index_terms ON message_index USING gin (terms) WITH (gin_pending_list_limit = 512);
CREATE INDEX message_index_by_channel ON message_index (guild_id, channel_id, message_id);
CREATE INDEX message_index_by_stretch ON message_index (guild_id, stretch_id);
COMMENT ON TABLE message_index IS 'What people said to each other, as the stems of its words. The weight of a term is how often it occurs: D once, C twice, B three times, A more. One term more, # and the guild, lets the index look into one guild alone.';

CREATE TABLE stretches (
    guild_id bigint NOT NULL,
    stretch_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    messages integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (guild_id, stretch_id)
);
CREATE INDEX stretches_by_channel ON stretches (guild_id, channel_id, last_at);
COMMENT ON TABLE stretches IS 'Talk in one channel without a long pause: from when to when, how many messages, how many words.';

CREATE TABLE term_counts (
    guild_id bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    messages integer NOT NULL,
    PRIMARY KEY (guild_id, term)
) WITH (fillfactor = 80);
COMMENT ON TABLE term_counts IS 'In how many messages of a guild a term occurs: rare ones say more about what is meant.';

CREATE TABLE index_channels (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    messages bigint NOT NULL,
    length bigint NOT NULL,
    stretches bigint NOT NULL,
    languages jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE index_channels IS 'How much of a channel is in the index: messages, words, stretches of talk; and how many messages were in which language.';

CREATE TABLE index_state (
    guild_id bigint PRIMARY KEY,
    words_through bigint NOT NULL DEFAULT 0,
    vectors_through bigint NOT NULL DEFAULT 0,
    vector_model text
);
COMMENT ON TABLE index_state IS 'Up to which seq the log of a guild is in the index, and up to which it has vectors of the model.';

CREATE TABLE index_again (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    times integer NOT NULL DEFAULT 1,
    PRIMARY KEY (guild_id, message_id)
);
COMMENT ON TABLE index_again IS 'Messages that came to say more without arriving anew: their links were looked up. They wait to be indexed again, and times tells whether it happened once more meanwhile.';

CREATE FUNCTION forget_indexed(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('index', of_guild));
    WITH gone AS (
        DELETE FROM message_index WHERE guild_id = of_guild AND message_id = ANY (ids)
        RETURNING channel_id, stretch_id, length, terms
    ), lost AS (
        SELECT lexeme, count(*) AS messages FROM gone, unnest(terms) GROUP BY lexeme
    ), last_ones AS (
        DELETE FROM term_counts AS known USING lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.messages <= lost.messages
    ), fewer AS (
        UPDATE term_counts AS known SET messages = known.messages - lost.messages FROM lost
        WHERE known.guild_id = of_guild AND known.term = lost.lexeme AND known.messages > lost.messages
    ), talk AS (
        SELECT stretch_id, count(*) AS messages, sum(length) AS length FROM gone GROUP BY stretch_id
    ), ended AS (
        DELETE FROM stretches AS known USING talk
        WHERE known.guild_id = of_guild AND known.stretch_id = talk.stretch_id AND known.messages <= talk.messages
        RETURNING known.channel_id
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
    UPDATE stretches AS known SET messages = known.messages - talk.messages, length = known.length - talk.length
    FROM talk
    WHERE known.guild_id = of_guild AND known.stretch_id = talk.stretch_id AND known.messages > talk.messages;
END $$;
COMMENT ON FUNCTION forget_indexed IS 'Takes messages out of everything that was made of them for recall. The indexer holds the same lock while it writes.';

CREATE FUNCTION forget_indexed_with_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM gone GROUP BY guild_id;
    DELETE FROM index_again USING gone
    WHERE index_again.guild_id = gone.guild_id AND index_again.message_id = gone.message_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_deleted AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_indexed_with_log();
CREATE TRIGGER addressed_noted AFTER INSERT ON addressed
    REFERENCING NEW TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_indexed_with_log();

CREATE FUNCTION index_changed_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM forget_indexed(guild_id, array_agg(message_id)) FROM (
        SELECT guild_id, message_id FROM new_rows JOIN old_rows USING (guild_id, message_id)
        WHERE new_rows.text <> old_rows.text OR new_rows.extras IS DISTINCT FROM old_rows.extras) AS changed
    GROUP BY guild_id;
    -- Whatever has a new seq comes by again on its own.
    INSERT INTO index_again AS known (guild_id, message_id)
    SELECT guild_id, message_id FROM new_rows JOIN old_rows USING (guild_id, message_id, seq)
    WHERE new_rows.extras IS DISTINCT FROM old_rows.extras
    ON CONFLICT (guild_id, message_id) DO UPDATE SET times = known.times + 1;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_history_changed AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION index_changed_again();

CREATE FUNCTION equip_recall() RETURNS void LANGUAGE plpgsql AS $$
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
        CREATE INDEX IF NOT EXISTS term_counts_alike ON term_counts USING gin (term gin_trgm_ops);
    END IF;
END $$;
COMMENT ON FUNCTION equip_recall IS 'Makes use of the extensions that this server has. Asked again at every start, because one may have been installed.';

SELECT equip_recall();
