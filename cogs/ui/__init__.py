"""Renders: values in, fresh views out. Nothing is stored, nothing is sent, no time is read.

Every view is new, has ``timeout=None`` and is `stop()`ped by whoever sends it; mentions are the
sender's business too. In all of them *locale* is a `discord.Locale`: the reader's, or the server's
for public posts; ``None`` is English.
"""
