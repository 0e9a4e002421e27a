"""A whole table on one laptop: bots with phones, a simulated camera, and the real pipeline in between."""
