"""The `companion` command: subcommands are imported only when they are called, so `--help` is quick."""

import contextlib
import errno
import importlib
import os
import sys

import click

COMMANDS = {
    "calibrate": "Lens, light and layout of a camera.",
    "demo": "A whole table on one laptop, with bot players and a simulated camera.",
    "doctor": "What works on this machine, and what to do about the rest.",
    "export": "A game, or what surrounds a dispute, as one file that tells and proves it.",
    "print": "PDF of markers, cards, lens chart and house decks.",
    "recognise": "What lies where on a photo.",
    "replay": "Play a record through the rules, or a recorded evening through everything.",
    "ruling": "Is this action legal after this record, and which rule says so?",
    "score": "Recognise a photo, then count what the rules say lies there.",
    "seat": "A new way back to a seat whose phone is lost.",
    "serve": "The real thing: camera, scoreboard and pages.",
    "teach": "Learn a copy's components from photos.",
    "verify": "Check an exported game: chain, sealed decisions, pictures, result.",
}


class LazyGroup(click.Group):
    """A click group whose commands live in `companion.commands.<name>` as `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        # products of small matrices: more threads only wait for each other, at half a core's cost
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        module = importlib.import_module(f"companion.commands.{cmd_name}_")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a full disk, or a file that cannot be used, ends it with a message."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except OSError as error:
            if error.errno != errno.ENOSPC and error.filename:
                what = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
                click.echo(f"Error: {what} cannot be read or written: {error.strerror or error}", err=True)
                ctx.exit(1)
            if error.errno != errno.ENOSPC:
                raise
            where = f" ({error.filename})" if error.filename else ""
            click.echo(f"Error: the disk is full{where}. Make room on it, then run this again.", err=True)
            with contextlib.suppress(OSError, ValueError):  # what stdout still holds has nowhere to go
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(1)
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup)
@click.version_option(package_name="companion-referee", prog_name="companion")
def main() -> None:
    """Referee for real tables: reads cards and beads, keeps hidden bids, settles disputes."""
