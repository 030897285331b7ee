"""Everything that is held of one channel, kind by kind, as far as whoever manages it can read it ($2 is the channel).

The channel and those of its threads that they can read. What members had hidden, and the words that an undo would bring
back, belong to those members, and are in nobody else's file.
"""

from memory.core.holdings import Stock
from memory.store.export import Section

_ROOMS = """
(SELECT coalesce(array_agg(channel_id), '{}') FROM (
    SELECT $2::bigint AS channel_id
    UNION SELECT channel_id FROM places WHERE guild_id = $1 AND parent_id = $2
    UNION SELECT channel_id FROM chat_history WHERE guild_id = $1 AND parent_id = $2) AS room
 WHERE channel_id = ANY($3))::bigint[]
"""
# Made of this channel among others, and of nothing that the manager could not read.
_MADE_HERE = f"source_channels <@ $3::bigint[] AND source_channels && {_ROOMS}"

CHANNEL_SECTIONS = (
    Section(
        Stock.MESSAGES,
        ("chat_history", "addressed"),
        """
        SELECT message_id, channel_id, parent_id AS thread_of_id, author_id, author_kind, sent_at, edited_at,
               reply_to AS reply_to_id, text, extras, intent AS said_to_innkeeper, message_id AS link_id
        FROM chat_history LEFT JOIN (
            SELECT guild_id, message_id, intent FROM addressed) AS noted USING (guild_id, message_id)
        WHERE guild_id = $1 AND (channel_id = $2 OR parent_id = $2) AND channel_id = ANY($3) ORDER BY message_id
        """,
        at="sent_at",
    ),
    Section(
        Stock.EARLY_EDITS,
        ("early_edits",),
        """
        SELECT message_id, channel_id, author_id, edited_at, text, extras FROM early_edits
        WHERE guild_id = $1 AND (channel_id = $2 OR parent_id = $2) AND channel_id = ANY($3) ORDER BY message_id
        """,
        at="edited_at",
    ),
    Section(
        Stock.FACTS_OF_CHANNEL,
        ("facts",),
        f"""
        SELECT fact_id, subject_id, teller_id, channel_id, text, standing, everywhere, valid_from AS holds_since,
               told_at AS last_told_at, valid_to AS held_until,
               nullif(withheld, false) AS withheld_by_a_rule_of_the_server, (
                   SELECT said.message_id FROM chat_history AS said
                   WHERE said.guild_id = facts.guild_id AND said.message_id = facts.message_id) AS link_id
        FROM facts WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) AND NOT withheld ORDER BY fact_id
        """,  # noqa: S608 - made of constants
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.DAYS,
        ("day_summaries", "days"),
        f"""
        SELECT day, starts_at, user_id, text, coalesce(model, 'quoted') AS made_by_model, made_at,
               source_channels AS made_from_channels
        FROM day_summaries JOIN days USING (guild_id, scope, starts_at)
        WHERE guild_id = $1 AND {_MADE_HERE} ORDER BY starts_at, scope, user_id
        """,  # noqa: S608 - made of constants
        at="starts_at",
    ),
    Section(
        Stock.HISTORIES,
        ("histories",),
        f"""
        SELECT last_day, user_id, text, model AS made_by_model, made_at, source_channels AS made_from_channels
        FROM histories WHERE guild_id = $1 AND {_MADE_HERE}
          AND days_hold(guild_id, scope, day_starts, day_changes) ORDER BY last_day, scope, user_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CONTEXTS,
        ("contexts",),
        f"""
        SELECT made_on, user_id, text, model AS made_by_model, made_at, source_channels AS made_from_channels
        FROM contexts WHERE guild_id = $1 AND {_MADE_HERE}
          AND days_hold(guild_id, scope, day_starts, day_changes)
          AND facts_digest = facts_digest(guild_id, fact_ids) ORDER BY made_at, scope, user_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.RECEIPTS,
        ("receipts",),
        f"""
        SELECT asked_in AS asked_in_id, channel_id, asker_id, made_at, language, message_ids AS answer_ids,
               used_messages AS used_message_ids, quoted_messages AS quoted_message_ids, used_facts AS used_fact_ids,
               quoted_facts AS quoted_fact_ids
        FROM receipts WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) ORDER BY made_at, asked_in
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.PROGRESS,
        ("channel_progress",),
        f"""
        SELECT channel_id, contiguous_through AS read_without_a_hole_up_to_id, backfilled_to AS read_back_to_id,
               backfill_done AS read_back_to_the_beginning, swept_at AS last_compared_at
        FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) ORDER BY channel_id
        """,  # noqa: S608 - made of constants
    ),
    Section(
        Stock.CHANNEL_ERASURES,
        ("channel_erasures",),
        """
        SELECT channel_id, through_message_id AS through_id, erased_at FROM channel_erasures
        WHERE guild_id = $1 AND channel_id = $2
        """,
        at="erased_at",
    ),
    Section(
        Stock.AUDIT,
        ("audit",),
        f"""
        SELECT at, actor_id, action, subject_id, channel_id, items FROM audit
        WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) ORDER BY at, audit_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
)
