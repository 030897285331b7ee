-- Accounting: what was asked of models, and what it took. Never what was said.

CREATE TABLE model_calls (
    guild_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    call_id uuid NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    outcome text NOT NULL,
    tokens_in integer NOT NULL CHECK (tokens_in >= 0),
    tokens_out integer NOT NULL CHECK (tokens_out >= 0),
    is_estimated boolean NOT NULL,
    milliseconds integer NOT NULL CHECK (milliseconds >= 0),
    PRIMARY KEY (guild_id, at, call_id)
);
CREATE INDEX model_calls_by_time ON model_calls (at);
COMMENT ON TABLE model_calls IS 'Every call of a model for a guild: what for, how many tokens, how long, what came of it; never the content, nor who asked. is_estimated: the reply did not say how many tokens, or there was none. call_id lets a call be written again when nobody knows whether it was.';
