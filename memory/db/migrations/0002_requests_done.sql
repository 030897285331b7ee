-- What a message asked for is marked as done in the transaction that does it, so that only its reply is owed.
ALTER TABLE addressed ADD COLUMN done boolean NOT NULL DEFAULT false;
COMMENT ON TABLE addressed IS 'Messages that were said to us. They are kept in the log, and never quoted as conversation. unanswered: it has no reply yet; whoever starts next carries it out or answers it. done: it was carried out, and only the reply is owed.';
