-- Another model's vectors are made beside those that questions are compared with, and take their place when they are all there.

ALTER TABLE index_state ADD COLUMN next_model text;
ALTER TABLE index_state ADD COLUMN next_through bigint NOT NULL DEFAULT 0;
ALTER TABLE index_state ADD COLUMN has_outdated boolean NOT NULL DEFAULT false;
COMMENT ON TABLE index_state IS 'Up to which seq the log of a guild is in the index, up to which it has vectors of the model that questions are compared by, and up to which those of the model that follows it. has_outdated: vectors of yet another model have to go.';

CREATE TABLE vectors_again (
    guild_id bigint NOT NULL,
    message_id bigint NOT NULL,
    model text NOT NULL,
    turn bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (guild_id, message_id, model),
    FOREIGN KEY (guild_id, message_id) REFERENCES message_index ON DELETE CASCADE
);
COMMENT ON TABLE vectors_again IS 'Messages that were indexed again and wait for their vectors, for each model. The turn is another one if that happened once more meanwhile.';
