"""`companion doctor`: what works on this machine and what to do about the rest."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.commands.serve_ import data_folder
from companion.health import Finding, Machine, Status, examine

COLOURS = {Status.OK: "green", Status.ABSENT: "yellow", Status.PROBLEM: "red"}


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), help="Where logs shall be kept.  [as companion serve]")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Where pages shall be.")
@click.option("--json", "as_json", is_flag=True, help="The findings as JSON.")
def command(folder: Path | None, port: int, as_json: bool) -> None:
    """Look over this machine: what works, what is not here, and what to do about it.

    "not here" stops nobody from playing; a "problem" does, and makes the exit status 1.

    \b
    Example: companion doctor --folder /var/lib/companion
    """
    findings = []
    for finding in examine(Machine(folder=folder or _there(data_folder()), port=port)):
        findings.append(finding)
        if not as_json:
            click.echo(told(finding))
    well = all(finding.status is not Status.PROBLEM for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": well, "checks": [finding.data() for finding in findings]}))
    else:
        click.echo("\nReady to play." if well else "\nMend the problems above, then ask again.")
    sys.exit(0 if well else 1)


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there: on its disk it will be made."""
    return folder if folder.is_dir() else _there(folder.parent)


def told(finding: Finding) -> str:
    """A finding in a line, and what to do in a second one."""
    status = click.style(f"{finding.status.value:8}", fg=COLOURS[finding.status])
    line = f"{status}  {finding.name + ':':14} {finding.says}"
    return f"{line}\n{'':10}{'':15}-> {finding.do}" if finding.do else line
