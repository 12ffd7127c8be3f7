"""A bundled conversation in two sessions, for showing what the hooks do."""

from collections.abc import Iterator


def conversation(project: str) -> Iterator[dict[str, object]]:
    """The payloads, in order: what Claude Code would send from a project directory."""
    yield from _session(
        "demo-1",
        project,
        [
            ("The staging port is 8443.", "Noted."),
            ("I prefer pnpm over npm for scripts.", "I will use pnpm."),
            ("Actually, the staging port is 9443.", "Corrected: 9443."),
        ],
    )
    yield from _session(
        "demo-2",
        project,
        [
            ("Which port does staging use?", "9443."),
            ("Write a haiku about the sea.", "Waves fold into waves."),
            ("Do I prefer npm or pnpm for scripts?", "pnpm."),
        ],
    )


def _session(session: str, project: str, turns: list[tuple[str, str]]) -> Iterator[dict[str, object]]:
    common: dict[str, object] = {"session_id": session, "cwd": project, "transcript_path": ""}
    yield {**common, "hook_event_name": "SessionStart", "source": "startup"}
    for number, (prompt, reply) in enumerate(turns, 1):
        turn = {**common, "prompt_id": f"{session}-{number}"}
        yield {**turn, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
        yield {**turn, "hook_event_name": "Stop", "last_assistant_message": reply, "stop_hook_active": False}
    yield {**common, "hook_event_name": "SessionEnd", "reason": "prompt_input_exit"}
