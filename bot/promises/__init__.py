"""What the bot promises, and how each promise is put to the test by ``bench promises``."""
