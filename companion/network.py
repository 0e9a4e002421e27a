"""This machine's address as phones on the same network see it."""

from __future__ import annotations

import socket

ANY = ("0.0.0.0", "::", "")  # noqa: S104  # names for "all addresses", not a socket


def address(host: str) -> str:
    """The address to give to phones for a server that listens on `host`; "localhost" when there is no network.

    Nothing is sent: connecting a UDP socket only asks the routing table which address would be used.
    """
    if host not in ANY:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737): routed, never reached
        except OSError:
            return "localhost"
        found: str = probe.getsockname()[0]
        return found
