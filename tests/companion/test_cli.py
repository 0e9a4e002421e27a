"""The command line: quick to answer, helpful when wrong."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import COMMANDS, main

HEAVY = ("numpy", "cv2", "flask", "sqlalchemy", "PIL", "waitress")


def test_help_names_every_command_and_loads_nothing_heavy():
    """What makes a command slow to answer is what it imports, so that is what is held (times differ by machine)."""
    code = (
        "import sys\n"
        "from companion.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print(','.join(m for m in {HEAVY!r} if m in sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""
    for name, says in COMMANDS.items():
        assert name in done.stdout
        assert says.split()[0] in done.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_helps(name):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_the_package_is_the_command():
    done = subprocess.run([sys.executable, "-m", "companion", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("companion, version ")


def test_an_unknown_command_is_wrong_usage():
    assert CliRunner().invoke(main, ["fly"]).exit_code == 2


def test_a_camera_without_a_deck_is_wrong_usage():
    result = CliRunner().invoke(main, ["serve", "fiji", "--camera", "usb:0"])
    assert result.exit_code == 2
    assert "--deck" in result.output


def test_an_address_that_is_no_camera_is_told_before_anything_is_begun(tmp_path):
    given = ["serve", "fiji", "--camera", "usb0", "--deck", str(tmp_path), "--data", str(tmp_path / "data")]
    result = CliRunner().invoke(main, given)
    assert (result.exit_code, result.output) == (
        1,
        "Error: no camera is called 'usb0'; try usb:0, pi, folder:PATH or video:PATH\n",
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
def test_a_full_disk_is_told_and_is_no_traceback():
    record = Path(__file__).resolve().parents[2] / "calibration" / "examples" / "fiji" / "game.jsonl"
    call = [sys.executable, "-c", "from companion.cli import main; main()", "replay", str(record), "--every"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Error: the disk is full. Make room on it, then run this again.\n"
