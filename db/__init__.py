"""The store: tables, events and what follows from them, on SQLite or PostgreSQL."""
