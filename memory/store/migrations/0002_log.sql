-- The log as a whole: what came with a message, who may be stored, and how far each channel has been read.

ALTER TABLE guilds ADD COLUMN consent text NOT NULL DEFAULT 'opt_out' CHECK (consent IN ('opt_out', 'opt_in'));
ALTER TABLE guilds ADD COLUMN retention_days integer CHECK (retention_days > 0);
ALTER TABLE guilds ADD COLUMN kept_since timestamp with time zone;
ALTER TABLE guilds ADD COLUMN excluded_channels bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE guilds ADD COLUMN excluded_roles bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE guilds ADD COLUMN left_at timestamp with time zone;
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided about the log. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward.';

ALTER TABLE members ADD COLUMN roles bigint[] NOT NULL DEFAULT '{}';
COMMENT ON TABLE members IS 'Who is in a guild today, with the names they go by and the roles they have.';

ALTER TABLE chat_history ADD COLUMN parent_id bigint;
ALTER TABLE chat_history ADD COLUMN extras jsonb;
COMMENT ON TABLE chat_history IS 'The log: every message once, the truth that all else is derived from. seq is the order of arrival; an edit arrives anew. parent_id is the channel of a thread; extras is what came with the text: attachments, embeds, poll, forwarded messages, stickers.';

-- Without an author nobody could say whether such a text may be kept; the next sweep reads those edits again.
DELETE FROM early_edits;
ALTER TABLE early_edits ADD COLUMN parent_id bigint;
ALTER TABLE early_edits ADD COLUMN author_id bigint NOT NULL;
ALTER TABLE early_edits ADD COLUMN author_kind text NOT NULL;
ALTER TABLE early_edits ADD COLUMN extras jsonb;

CREATE TABLE consents (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    choice text NOT NULL CHECK (choice IN ('in', 'out')),
    decided_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE consents IS 'Members who said whether their messages may be stored. Kept when a guild is removed, so that the word still holds if we come back.';

CREATE TABLE erasures (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    through_message_id bigint NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);
COMMENT ON TABLE erasures IS 'Up to which message nothing of a member may be stored, by whatever way it comes. Kept like consents.';

CREATE TABLE channel_progress (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    contiguous_through bigint,
    backfilled_to bigint,
    backfill_done boolean NOT NULL DEFAULT false,
    swept_at timestamp with time zone,
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE channel_progress IS 'How far a channel has been read: without a hole up to contiguous_through, into the past down to backfilled_to.';
