-- What somebody said is found among their own messages, however many others have spoken since.

CREATE INDEX message_index_by_author ON message_index (guild_id, author_id, message_id);
