"""Holds the local guild's gateway: sockets, sessions that resume, and the events they carry."""
