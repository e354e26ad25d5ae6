"""The demo: planes in the air over 2013, minute by minute. `python -m demo.run` runs it."""
