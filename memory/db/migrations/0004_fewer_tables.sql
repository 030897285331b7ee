-- An edit that comes before its message waits in the memory of the process that heard it; comparing with Discord finds the rest.
DROP TABLE early_edits;

-- Which process is connected as which shard is a claim like any other.
DROP TABLE gateway_leases;
ALTER TABLE claims ADD COLUMN beat bigint NOT NULL DEFAULT 0, ADD COLUMN holder text NOT NULL DEFAULT '', ADD COLUMN mark text NOT NULL DEFAULT '';
COMMENT ON TABLE claims IS 'Who is at work on something, so that no other process does the same; a lease that runs out when its holder dies. Of guild 0: which process is connected to Discord as which shard of how many (0: all, however many), and whose turn it is to identify. These have no end, since clocks differ: beat is raised by the holder, who counts as gone when it stands still. holder says in words which process that is, and mark tells it from all others that this machine has had.';

-- Where the short term of a channel begins stands with how far the channel was read.
ALTER TABLE channel_progress ADD COLUMN starts_after bigint;
INSERT INTO channel_progress AS known (guild_id, channel_id, starts_after)
SELECT guild_id, channel_id, after_id FROM context_starts
ON CONFLICT (guild_id, channel_id) DO UPDATE SET starts_after = excluded.starts_after;
DROP TABLE context_starts;
COMMENT ON TABLE channel_progress IS 'The channels that Discord has shown us, and how far each has been read: without a hole up to contiguous_through, into the past down to backfilled_to, by an unfinished sweep down to swept_to. asked_at is when Discord last said of one that is out of view that it still exists. Behind starts_after its short term begins, where somebody had it begin anew; nothing is deleted by that.';
