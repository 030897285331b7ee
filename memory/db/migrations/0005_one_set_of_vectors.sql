-- A server has the vectors of one model: where another is chosen, each of its vectors takes the place of an old one.
ALTER TABLE index_state DROP COLUMN next_model, DROP COLUMN next_through, DROP COLUMN has_outdated;
COMMENT ON TABLE index_state IS 'Up to which seq the log of a guild is in the index, and up to which it has vectors of the model that questions are compared by.';
DELETE FROM vectors_again USING index_state AS state
WHERE state.guild_id = vectors_again.guild_id AND model IS DISTINCT FROM state.vector_model;
ALTER TABLE vectors_again DROP CONSTRAINT vectors_again_pkey, DROP COLUMN model, ADD PRIMARY KEY (guild_id, message_id);
COMMENT ON TABLE vectors_again IS 'Messages that were indexed again and wait for their vectors. The turn is another one if that happened once more meanwhile.';
