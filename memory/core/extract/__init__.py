"""What a day, a week or a member comes down to when no model puts it into words: the sentences that tell most."""
