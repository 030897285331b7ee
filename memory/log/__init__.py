"""Keeps the log of messages: takes in what is said, edited and deleted, and lasts through an outage."""
