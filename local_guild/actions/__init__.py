"""What people and the bot do in the local guild: post, react, join, press; and who is told of it."""
