-- A fact lives where it was told, unless its teller says of themselves that everyone may know it.

ALTER TABLE facts ADD COLUMN everywhere boolean NOT NULL DEFAULT false
    CHECK (NOT everywhere OR (subject_id IS NOT NULL AND subject_id = teller_id));
COMMENT ON TABLE facts IS 'The ledger of what was told. subject_id NULL is the guild itself; source_message_id is the message that "this" meant. It may be told to those who can read channel_id, or to everyone if its subject, who told it, said so. A forgotten fact is deleted.';
