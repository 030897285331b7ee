-- What belongs together in a channel is called a conversation.
ALTER TABLE stretches RENAME TO conversations;
ALTER TABLE conversations RENAME COLUMN stretch_id TO conversation_id;
ALTER TABLE message_index RENAME COLUMN stretch_id TO conversation_id;
ALTER TABLE index_channels RENAME COLUMN stretches TO conversations;
ALTER INDEX stretches_by_channel RENAME TO conversations_by_channel;
ALTER INDEX message_index_by_stretch RENAME TO message_index_by_conversation;
DO $$
DECLARE known record;
BEGIN
    -- From PostgreSQL 18 on NOT NULL has a name as well.
    FOR known IN SELECT conrelid::regclass AS of_table, conname AS name FROM pg_constraint WHERE conname LIKE '%stretch%' LOOP
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', known.of_table, known.name,
            replace(replace(known.name, 'stretches', 'conversations'), 'stretch', 'conversation'));
    END LOOP;
END $$;
