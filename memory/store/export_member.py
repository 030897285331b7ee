"""Everything that is held on one member, kind by kind, as far as it is theirs to read ($2 is the member).

What they wrote is theirs wherever it stands. What others told or what was made of many people's words they get only if
they could read all that it came from: the same rule as for every reply (docs/decisions/export.md).
"""

from memory import audit
from memory.core.holdings import Stock
from memory.fact_rows import naming
from memory.store.export import Section

# A link leads only to what is in the log, so never to a message that was deleted.
_LINK = """
(SELECT said.message_id FROM chat_history AS said
 WHERE said.guild_id = facts.guild_id AND said.message_id = facts.message_id) AS link_id
"""
_FACTS = f"""
SELECT fact_id, subject_id, teller_id, channel_id, text, standing, everywhere, valid_from AS holds_since,
       told_at AS last_told_at, valid_to AS held_until, superseded_by AS replaced_by_id,
       nullif(withheld, false) AS withheld_by_a_rule_of_the_server,
       source_message_id AS taken_from_id, {_LINK}
FROM facts WHERE guild_id = $1
"""  # noqa: S608 - made of constants
_READABLE = "(channel_id = ANY($3) OR everywhere)"
_ALL_SOURCES = "source_channels <@ $3::bigint[]"

MEMBER_SECTIONS = (
    Section(
        Stock.NAMES,
        ("members", "guilds"),
        """
        SELECT username, global_name, nickname, is_bot, roles AS role_ids,
               owner_id IS NOT DISTINCT FROM user_id AS owns_the_server
        FROM members JOIN guilds USING (guild_id) WHERE guild_id = $1 AND user_id = $2
        """,
    ),
    Section(
        Stock.NAME_KEYS,
        ("member_names",),
        "SELECT name_key AS name FROM member_names WHERE guild_id = $1 AND user_id = $2 ORDER BY name_key",
    ),
    Section(
        Stock.ALIASES,
        ("fact_aliases",),
        f"""
        SELECT name_key AS name, fact_id FROM fact_aliases JOIN facts USING (guild_id, fact_id)
        WHERE guild_id = $1 AND user_id = $2 AND {_READABLE} AND (NOT withheld OR subject_id = $2)
        ORDER BY name_key, fact_id
        """,  # noqa: S608 - made of constants
    ),
    Section(
        Stock.PLACES,
        ("places",),
        """
        SELECT channel_id, kind, coalesce($2 = ANY (members), false) AS you_are_in_it, (
            SELECT coalesce(jsonb_agg(jsonb_build_object('allowed', one -> 2, 'denied', one -> 3)), '[]')
            FROM jsonb_array_elements(overwrites) AS one
            WHERE (one ->> 0)::bigint = $2 AND NOT (one ->> 1)::boolean) AS permissions_of_your_own
        FROM places WHERE guild_id = $1 AND channel_id = ANY($3) AND ($2 = ANY (members) OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(overwrites) AS one
            WHERE (one ->> 0)::bigint = $2 AND NOT (one ->> 1)::boolean))
        ORDER BY channel_id
        """,
    ),
    Section(
        Stock.MESSAGES,
        ("chat_history", "addressed"),
        """
        SELECT message_id, channel_id, parent_id AS thread_of_id, sent_at, edited_at, reply_to AS reply_to_id, text,
               extras, intent AS said_to_innkeeper, message_id AS link_id
        FROM chat_history LEFT JOIN (
            SELECT guild_id, message_id, intent FROM addressed) AS noted USING (guild_id, message_id)
        WHERE guild_id = $1 AND author_id = $2 AND author_kind <> 'self' ORDER BY message_id
        """,
        at="sent_at",
    ),
    Section(
        Stock.EARLY_EDITS,
        ("early_edits",),
        """
        SELECT message_id, channel_id, edited_at, text, extras FROM early_edits
        WHERE guild_id = $1 AND author_id = $2 ORDER BY message_id
        """,
        at="edited_at",
    ),
    # What they took from the words of others changes when those are edited: that, they have to be able to read.
    Section(
        Stock.FACTS_TOLD,
        ("facts",),
        f"""{_FACTS} AND teller_id = $2 AND ({_READABLE} OR source_message_id IS NULL) ORDER BY fact_id""",
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.FACTS_ABOUT,
        ("facts",),
        f"""{_FACTS} AND (subject_id = $2 OR (NOT withheld AND {naming("text", "$2::bigint")}))
        AND teller_id <> $2 AND {_READABLE} ORDER BY fact_id""",
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.MERGED_FACTS,
        ("user_facts",),
        f"""
        SELECT memory_blob AS text, updated_at, by_model, source_channels AS made_from_channels FROM user_facts
        WHERE guild_id = $1 AND user_id = $2 AND {_ALL_SOURCES}
        """,  # noqa: S608 - made of constants
        at="updated_at",
    ),
    Section(
        Stock.DAYS,
        ("day_summaries", "days"),
        f"""
        SELECT day, starts_at, text, coalesce(model, 'quoted') AS made_by_model, made_at,
               source_channels AS made_from_channels
        FROM day_summaries JOIN days USING (guild_id, scope, starts_at)
        WHERE guild_id = $1 AND user_id = $2 AND {_ALL_SOURCES} ORDER BY starts_at, scope
        """,  # noqa: S608 - made of constants
        at="starts_at",
    ),
    Section(
        Stock.HISTORIES,
        ("histories",),
        f"""
        SELECT last_day, text, model AS made_by_model, made_at, source_channels AS made_from_channels
        FROM histories WHERE guild_id = $1 AND user_id = $2 AND {_ALL_SOURCES}
          AND days_hold(guild_id, scope, day_starts, day_changes) ORDER BY last_day, scope
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CONTEXTS,
        ("contexts",),
        f"""
        SELECT made_on, text, model AS made_by_model, made_at, fact_ids, source_channels AS made_from_channels
        FROM contexts WHERE guild_id = $1 AND user_id = $2 AND {_ALL_SOURCES}
          AND days_hold(guild_id, scope, day_starts, day_changes)
          AND facts_digest = facts_digest(guild_id, fact_ids) ORDER BY made_at, scope
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CONSENTS,
        ("consents",),
        "SELECT choice, decided_at FROM consents WHERE guild_id = $1 AND user_id = $2",
        at="decided_at",
    ),
    Section(
        Stock.ERASURES,
        ("erasures",),
        """
        SELECT through_message_id AS through_id, erased_at FROM erasures WHERE guild_id = $1 AND user_id = $2
        """,
        at="erased_at",
    ),
    Section(
        Stock.RECEIPTS,
        ("receipts",),
        """
        SELECT asked_in AS asked_in_id, channel_id, made_at, language, message_ids AS answer_ids,
               used_messages AS used_message_ids, quoted_messages AS quoted_message_ids, used_facts AS used_fact_ids,
               quoted_facts AS quoted_fact_ids, day_starts AS used_days, day_quoted AS days_were_quoted,
               take_back_at IS NOT NULL AS will_be_taken_back, (
                   SELECT said.message_id FROM chat_history AS said
                   WHERE said.guild_id = receipts.guild_id AND said.message_id = receipts.asked_in) AS link_id
        FROM receipts WHERE guild_id = $1 AND asker_id = $2 ORDER BY made_at, asked_in
        """,
        at="made_at",
    ),
    Section(
        Stock.CHANGES,
        ("changes",),
        f"""
        SELECT change_id, kind, made_by, made_at, until, ARRAY(
            SELECT fact_id FROM facts
            WHERE guild_id = $1 AND fact_id = ANY (fact_ids) AND ({_READABLE} OR teller_id = $2)
            ORDER BY fact_id) AS fact_ids, (
            SELECT coalesce(jsonb_agg(was -> 'text'), '[]') FROM jsonb_array_elements(before) AS was
            WHERE ((was ->> 'channel_id')::bigint = ANY($3) OR (was ->> 'everywhere')::boolean)
              AND $2 IN ((was ->> 'subject_id')::bigint, (was ->> 'teller_id')::bigint)) AS texts_kept_for_undoing
        FROM changes
        WHERE guild_id = $1 AND until > $4
          AND (made_by = $2 OR (channels <@ $3::bigint[] AND (subjects @> ARRAY[$2] OR tellers @> ARRAY[$2])))
        ORDER BY made_at, change_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.VETOES,
        ("vetoes",),
        """
        SELECT statement AS digest, vetoed_at FROM vetoes WHERE guild_id = $1 AND subject_id = $2
        ORDER BY vetoed_at, statement
        """,
        at="vetoed_at",
    ),
    Section(
        Stock.LOOKED_AT,
        ("audit",),
        f"""
        SELECT at, actor_id, action, channel_id, items FROM audit
        WHERE guild_id = $1 AND subject_id = $2 AND {audit.readable("$3")} ORDER BY at, actor_id, action, channel_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
    Section(
        Stock.DEEDS,
        ("audit",),
        f"""
        SELECT at, action, subject_id, channel_id, items FROM audit
        WHERE guild_id = $1 AND actor_id = $2 AND {audit.readable("$3")} ORDER BY at, action, subject_id, channel_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
)

NOT_EXPORTED = {
    "tombstones": "ids of deleted messages; whose they were is not kept",
    "message_index": "made of the messages that are exported, and gone with them: the stems of their words",
    "term_counts": "how often words occur in a channel, whoever used them",
    "spellings": "which words occur on the server, whoever used them",
    "message_vectors": "made of the messages that are exported, and gone with them: numbers",
    "vectors_again": "which of the exported messages wait for their numbers",
    "index_again": "which of the exported messages wait to be indexed",
    "asked_about": "when they last asked or were asked about, wherever that was: it would tell of questions in rooms"
    " that they cannot read",
    "claims": "which work is being done just now, for minutes; it may name a member, and says nothing about them",
    "place_viewers": "who could see which channel a moment ago, as Discord has it for everybody",
    "channel_erasures": "what a manager had erased, about a channel and nobody in it",
}
"""Tables that a member is in, by id or by what they wrote, and why a file for them would not tell them more."""
