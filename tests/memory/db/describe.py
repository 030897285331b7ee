"""A canonical description of everything in a database, one line per thing, so that two databases can be compared.

It tells whether `schema.sql` and the migrations lead to the same place. Nothing is listed by name here: whatever is in
a schema of ours is described, the tables of a job queue included. Two things are left out on purpose: the order of
columns, because a migration can add one only at the end, and what belongs to an extension, because the extension
itself is listed.
"""

import asyncpg

from memory.db.database import Connection

# In front of every query: the schemas that are not PostgreSQL's own, and the objects that extensions have made.
SCOPE = r"""
WITH ours AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'
), borrowed AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
)
"""

EXTENSIONS = """
SELECT 'extension ' || e.extname || ' in ' || n.nspname
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
"""

SCHEMAS = "SELECT 'schema ' || n.nspname FROM ours n"

TABLES = """
SELECT format('%s %I.%I persistence=%s options=%s partition=%s row_security=%s',
    CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' ELSE 'foreign table' END,
    n.nspname, c.relname, c.relpersistence, c.reloptions,
    coalesce(pg_get_partkeydef(c.oid), '') || coalesce(pg_get_expr(c.relpartbound, c.oid), ''), c.relrowsecurity)
FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f') AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

COLUMNS = """
SELECT format('column %I.%I.%I %s%s not_null=%s default=%s identity=%s generated=%s storage=%s compression=%s',
    n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> t.typcollation THEN ' collate ' || a.attcollation::regcollation::text ELSE '' END,
    a.attnotnull, coalesce(pg_get_expr(d.adbin, d.adrelid), 'none'), a.attidentity, a.attgenerated,
    a.attstorage, a.attcompression)
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid JOIN ours n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')
    AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

CONSTRAINTS = """
SELECT format('constraint %I on %s: %s enforced=%s validated=%s', k.conname,
    CASE WHEN k.conrelid <> 0 THEN k.conrelid::regclass::text ELSE k.contypid::regtype::text END,
    pg_get_constraintdef(k.oid), coalesce(to_jsonb(k) ->> 'conenforced', 'true'), k.convalidated)
FROM pg_constraint k JOIN ours n ON n.oid = k.connamespace
WHERE ('pg_constraint'::regclass, k.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

INDEXES = """
SELECT format('index %s valid=%s', pg_get_indexdef(i.indexrelid), i.indisvalid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN ours n ON n.oid = c.relnamespace
WHERE ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

SEQUENCES = """
SELECT format('sequence %I.%I %s start=%s min=%s max=%s increment=%s cycle=%s cache=%s owned_by=%s',
    n.nspname, c.relname, format_type(s.seqtypid, NULL), s.seqstart, s.seqmin, s.seqmax, s.seqincrement,
    s.seqcycle, s.seqcache, coalesce(o.refobjid::regclass::text || '.' || a.attname, 'none'))
FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN ours n ON n.oid = c.relnamespace
LEFT JOIN pg_depend o ON o.classid = 'pg_class'::regclass AND o.objid = c.oid AND o.refobjsubid > 0
    AND o.refclassid = 'pg_class'::regclass AND o.deptype IN ('a', 'i')
LEFT JOIN pg_attribute a ON a.attrelid = o.refobjid AND a.attnum = o.refobjsubid
WHERE ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

VIEWS = """
SELECT format('view %I.%I %s: %s', n.nspname, c.relname, c.relkind, pg_get_viewdef(c.oid))
FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm') AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

FUNCTIONS = """
SELECT 'function ' || CASE WHEN p.prokind = 'a' THEN p.oid::regprocedure::text ELSE pg_get_functiondef(p.oid) END
FROM pg_proc p JOIN ours n ON n.oid = p.pronamespace
WHERE ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

TRIGGERS = """
SELECT format('trigger %s enabled=%s', pg_get_triggerdef(g.oid), g.tgenabled)
FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN ours n ON n.oid = c.relnamespace
WHERE NOT g.tgisinternal
"""

TYPES = """
SELECT format('type %I.%I %s labels=%s base=%s not_null=%s default=%s', n.nspname, t.typname, t.typtype,
    (SELECT array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
    format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault)
FROM pg_type t JOIN ours n ON n.oid = t.typnamespace
WHERE t.typtype IN ('e', 'd', 'r') AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM borrowed)
"""

POLICIES = """
SELECT format('policy %I on %I.%I command=%s permissive=%s roles=%s using=%s check=%s', p.polname, n.nspname, c.relname,
    p.polcmd, p.polpermissive, p.polroles::regrole[], pg_get_expr(p.polqual, p.polrelid),
    pg_get_expr(p.polwithcheck, p.polrelid))
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN ours n ON n.oid = c.relnamespace
"""

STATISTICS = """
SELECT 'statistics ' || pg_get_statisticsobjdef(s.oid)
FROM pg_statistic_ext s JOIN ours n ON n.oid = s.stxnamespace
"""

COMMENTS = """
SELECT format('comment on %s.%s: %s', c.oid::regclass, coalesce(a.attname, '*'), d.description)
FROM pg_description d JOIN pg_class c ON d.classoid = 'pg_class'::regclass AND c.oid = d.objoid
JOIN ours n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0
"""

EVERYTHING = (
    *(EXTENSIONS, SCHEMAS, TABLES, COLUMNS, CONSTRAINTS, INDEXES, SEQUENCES),
    *(VIEWS, FUNCTIONS, TRIGGERS, TYPES, POLICIES, STATISTICS, COMMENTS),
)


async def describe(connection: "Connection | asyncpg.Connection[asyncpg.Record]") -> list[str]:
    """Every line that describes the database, sorted."""
    lines: list[str] = []
    for query in EVERYTHING:
        lines += [row[0] for row in await connection.fetch(SCOPE + query)]
    return sorted(lines)
