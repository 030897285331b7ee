-- Who may see what: roles, channels and threads as Discord has them, and what managers decide about rooms.

ALTER TABLE guilds ADD COLUMN owner_id bigint;
ALTER TABLE guilds ADD COLUMN hall_role_id bigint;
ALTER TABLE guilds ADD COLUMN speaks_in bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE guilds ADD COLUMN set_up_at timestamp with time zone;
ALTER TABLE guilds ADD COLUMN places_run uuid;
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. places_run is the run of the bot that has its roles, places and members right; NULL while they are not.';

CREATE TABLE roles (
    guild_id bigint NOT NULL,
    role_id bigint NOT NULL,
    permissions bigint NOT NULL,
    PRIMARY KEY (guild_id, role_id)
);
COMMENT ON TABLE roles IS 'The roles of a guild and what they allow, as the bits Discord has for it; the role with the id of the guild is @everyone.';

CREATE TABLE places (
    guild_id bigint NOT NULL,
    channel_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('channel', 'voice', 'category', 'thread', 'private_thread')),
    parent_id bigint,
    age_restricted boolean NOT NULL,
    overwrites jsonb NOT NULL,
    members bigint[],
    PRIMARY KEY (guild_id, channel_id)
);
COMMENT ON TABLE places IS 'Channels and threads, archived ones included, and who may see them. overwrites are [id, is it a role, allowed bits, denied bits]; members are those of a private thread, NULL while they are not known.';

ALTER TABLE process_health ADD COLUMN run uuid;
COMMENT ON TABLE process_health IS 'How each process said it was doing, and when it last said so. run is new with every start, and NULL when it has ended; what guilds.places_run says holds as long as that run goes on.';
