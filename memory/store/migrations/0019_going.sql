-- Messages that are being removed some at a time are told to nobody meanwhile.

ALTER TABLE guilds ADD COLUMN going uuid[] NOT NULL DEFAULT '{}';
COMMENT ON TABLE guilds IS 'A Discord server we are in, and what its managers decided. epoch rises when its settings or places change; caches are keyed by it. kept_since is the horizon of retention, and only moves forward. hall_role_id NULL is @everyone; speaks_in empty is everywhere. places_run is the run of the bot that has its roles, places and members right; NULL while they are not. summary_days is how long summaries are kept; NULL is until they are made from nothing any more. fact_days is how long facts are kept after they were last told; NULL is until they are forgotten. facts_about_others: whether one may tell us about somebody else; moderators_may is what those who keep order may do about facts that are not theirs. going are removals under way of messages that may be stored no longer; while there are any, each message is judged before it is told.';

CREATE FUNCTION may_be_told(of_guild bigint, said_in bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM chat_history AS said
        WHERE said.guild_id = of_guild AND said.message_id = said_in AND said.author_kind <> 'self'
        AND NOT EXISTS (
            SELECT 1 FROM guilds AS deciding WHERE deciding.guild_id = of_guild AND (
                said.channel_id = ANY (deciding.excluded_channels)
                OR said.parent_id = ANY (deciding.excluded_channels)
                OR said.sent_at < deciding.kept_since
                OR (deciding.consent = 'opt_in' AND said.author_kind = 'person' AND NOT EXISTS (
                    SELECT 1 FROM consents AS word
                    WHERE word.guild_id = of_guild AND word.user_id = said.author_id AND word.choice = 'in'))
                OR (deciding.excluded_roles <> '{}' AND EXISTS (
                    SELECT 1 FROM members AS author
                    WHERE author.guild_id = of_guild AND author.user_id = said.author_id
                      AND author.roles && deciding.excluded_roles))))
        AND NOT EXISTS (
            SELECT 1 FROM consents AS word
            WHERE word.guild_id = of_guild AND word.user_id = said.author_id AND word.choice = 'out'
              AND said.author_kind = 'person')
        AND NOT EXISTS (
            SELECT 1 FROM erasures AS erased
            WHERE erased.guild_id = of_guild AND erased.user_id = said.author_id
              AND said.message_id <= erased.through_message_id)
        AND NOT EXISTS (
            SELECT 1 FROM channel_erasures AS emptied
            WHERE emptied.guild_id = of_guild AND emptied.channel_id IN (said.channel_id, said.parent_id, 0)
              AND said.message_id <= emptied.through_message_id));
END $$;
COMMENT ON FUNCTION may_be_told IS 'Whether a message in the log may be told while others are going: it may be stored as things stand, and is not ours, which may repeat what is going.';
