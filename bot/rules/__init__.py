"""The engine: Hearts in all its forms as pure values and functions.

`decide` says what happens when something is asked, `evolve` what the game is afterwards.
"""
