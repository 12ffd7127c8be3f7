"""`awhm hook install` in a home of its own, then the client, then `uninstall`: nothing else is set up by hand."""

from collections.abc import Callable

from conftest import Awhm

from e2e import store
from e2e.client import Machine

THEIRS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}, "theme": "dark"}


def test_the_client_runs_installed_hooks_until_they_are_uninstalled(new_machine: Callable[..., Machine]) -> None:
    machine = new_machine(THEIRS)
    settings = machine.home / ".claude" / "settings.json"
    before = settings.read_bytes()
    awhm = Awhm(machine.home, machine.data_dir)

    installed = awhm("hook", "install")
    assert installed.returncode == 0, installed.stderr
    assert machine.ask("The wiki is written in AsciiDoc.").returncode == 0
    logged = store.logged(machine.data_dir)
    assert [message.role for message in logged] == ["user", "assistant"]

    uninstalled = awhm("hook", "uninstall")
    assert uninstalled.returncode == 0, uninstalled.stderr
    assert settings.read_bytes() == before
    assert machine.ask("The blog is written in Markdown.").returncode == 0
    assert store.logged(machine.data_dir) == logged
