"""Robots against robots: whole games without a table."""
