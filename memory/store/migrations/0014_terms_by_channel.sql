-- Terms are counted by channel, so that an audience's words are weighed by what it can read and nothing else.

DROP TABLE term_counts;
CREATE TABLE term_counts (
    guild_id bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    channel_id bigint NOT NULL,
    messages integer NOT NULL,
    PRIMARY KEY (guild_id, term, channel_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE term_counts IS 'In how many messages of a channel a term occurs: rare ones say more about what is meant. By channel, because nobody may tell from the weight of a word that it is used where they cannot read.';
INSERT INTO term_counts (guild_id, term, channel_id, messages)
SELECT guild_id, lexeme, channel_id, count(*) FROM message_index, unnest(terms)
WHERE lexeme NOT LIKE '#%' GROUP BY guild_id, lexeme, channel_id;

CREATE OR REPLACE FUNCTION forget_indexed(of_guild bigint, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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

SELECT equip_recall();
