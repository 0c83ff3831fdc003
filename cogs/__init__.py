"""Discord: commands, clicks and everything people see."""
