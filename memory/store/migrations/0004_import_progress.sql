-- How far an unfinished import has come, so that it goes on from there.

CREATE TABLE imports (
    guild_id bigint NOT NULL,
    fingerprint text NOT NULL,
    stored_to bigint NOT NULL,
    epoch bigint NOT NULL,
    outcome jsonb NOT NULL,
    PRIMARY KEY (guild_id, fingerprint)
);
COMMENT ON TABLE imports IS 'Exported files of which an import is not finished: each known by its fingerprint and stored up to the byte stored_to. outcome is what became of its messages so far, in numbers, and where the file is broken; epoch is that of the guild when the import began. Gone when it is finished.';
