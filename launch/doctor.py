"""`main.py doctor`: checks everything a working Innkeeper needs and says what to do about what is missing."""
