-- Where an unfinished sweep of a channel has come to, and when Discord was last asked whether a channel still exists.

ALTER TABLE channel_progress ADD COLUMN swept_to bigint;
ALTER TABLE channel_progress ADD COLUMN asked_at timestamp with time zone;
COMMENT ON TABLE channel_progress IS 'The channels that Discord has shown us, and how far each has been read: without a hole up to contiguous_through, into the past down to backfilled_to, by an unfinished sweep down to swept_to. asked_at is when Discord last said of one that is out of view that it still exists.';
