"""Companion: a referee for real tables."""

__version__ = "0.1.0"
