-- That everyone may know something can be undone: then it is told again only where it was told.

ALTER TABLE changes DROP CONSTRAINT changes_kind_check;
ALTER TABLE changes ADD CONSTRAINT changes_kind_check
    CHECK (kind IN ('remembered', 'forgotten', 'edited', 'vetoed', 'hidden', 'opened', 'lapsed'));

CREATE OR REPLACE FUNCTION take_back_by_restating() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    lost record;
BEGIN
    -- What is over was true when it was said; what says something else, or nothing, was not to be said.
    FOR lost IN
        SELECT guild_id, array_agg(fact_id) AS ids FROM old_rows JOIN new_rows USING (guild_id, fact_id)
        WHERE new_rows.text <> old_rows.text OR (new_rows.hidden_at IS NOT NULL AND old_rows.hidden_at IS NULL)
        GROUP BY guild_id
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts && lost.ids HAVING count(*) > 0;
    END LOOP;
    -- What lives again where it was told was not to be said elsewhere.
    FOR lost IN
        SELECT guild_id, fact_id, new_rows.channel_id FROM old_rows JOIN new_rows USING (guild_id, fact_id)
        WHERE old_rows.everywhere AND NOT new_rows.everywhere
    LOOP
        PERFORM take_back(lost.guild_id, array_agg(asked_in), 'forgotten') FROM receipts
        WHERE guild_id = lost.guild_id AND quoted_facts @> ARRAY[lost.fact_id] AND channel_id <> lost.channel_id
        HAVING count(*) > 0;
    END LOOP;
    RETURN NULL;
END $$;
