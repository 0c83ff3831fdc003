"""The async game manager: tables, clocks, posts and robots around the pure rules."""
