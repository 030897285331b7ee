-- What was told is true for a time: a newer fact takes the place of an older one, which stays with its dates.
-- A blob knows which facts it was made from, and a costly derivation has one maker at a time.

ALTER TABLE facts ADD COLUMN valid_to timestamp with time zone;
ALTER TABLE facts ADD COLUMN superseded_by bigint;
ALTER TABLE facts ADD CONSTRAINT facts_end_with_a_successor CHECK ((valid_to IS NULL) = (superseded_by IS NULL));
ALTER TABLE facts ADD CONSTRAINT facts_go_with_their_successor
    FOREIGN KEY (guild_id, superseded_by) REFERENCES facts ON DELETE CASCADE;
CREATE INDEX facts_by_successor ON facts (guild_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX facts_by_telling ON facts (guild_id, message_id);
COMMENT ON TABLE facts IS 'The ledger of what was told. subject_id NULL is the guild itself; message_id is the telling, which has a row for each person it is about; source_message_id is the message that "this" meant. It may be told to those who can read channel_id, or to everyone if its subject, who told it, said so. With valid_to it is over: superseded_by took its place, and it goes when that goes. A forgotten fact is deleted.';

CREATE TABLE fact_aliases (
    guild_id bigint NOT NULL,
    name_key text NOT NULL,
    fact_id bigint NOT NULL,
    user_id bigint NOT NULL,
    PRIMARY KEY (guild_id, name_key, fact_id),
    FOREIGN KEY (guild_id, fact_id) REFERENCES facts ON DELETE CASCADE
);
CREATE INDEX fact_aliases_of_fact ON fact_aliases (guild_id, fact_id);
COMMENT ON TABLE fact_aliases IS 'Names that a fact gives a member ("gruzilkin is Sergey"), folded like member_names. One means the member only to those who may be told the fact, and while it holds.';

ALTER TABLE user_facts ADD COLUMN made_from text NOT NULL DEFAULT '';
ALTER TABLE user_facts ADD COLUMN by_model boolean NOT NULL DEFAULT false;
ALTER TABLE user_facts ADD COLUMN merge_after timestamp with time zone;
ALTER TABLE user_facts ADD COLUMN merge_tries integer NOT NULL DEFAULT 0;
CREATE INDEX user_facts_to_merge ON user_facts (merge_after) WHERE merge_after IS NOT NULL;
COMMENT ON TABLE user_facts IS 'The readable merge of what was told about a member in the hall, and the channels it was made from. made_from is a digest of those facts; by_model tells who merged them. merge_after: they are too many for the room there is, and a model shall merge them from then on, having failed merge_tries times.';

CREATE TABLE claims (
    guild_id bigint NOT NULL,
    what text NOT NULL,
    claimed_by uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, what)
);
COMMENT ON TABLE claims IS 'Who is making something that takes a model, so that no other process does the same; a lease that runs out when its holder dies.';
