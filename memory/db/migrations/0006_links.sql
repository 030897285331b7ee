-- Members say of an answer whether it was right.
CREATE TABLE verdicts (
    guild_id bigint NOT NULL,
    reply_id bigint NOT NULL,
    user_id bigint NOT NULL,
    asked_in bigint NOT NULL,
    is_right boolean NOT NULL,
    correction text NOT NULL DEFAULT '',
    given_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, reply_id, user_id),
    FOREIGN KEY (guild_id, reply_id) REFERENCES chat_history ON DELETE CASCADE
);
COMMENT ON TABLE verdicts IS 'What members said of our answers: that one was right or wrong, and in a line what is right. reply_id is the first message of the answer, with which this goes; asked_in is its question, by which its receipt is known.';
