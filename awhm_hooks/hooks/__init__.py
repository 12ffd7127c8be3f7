"""What Claude Code starts: one short-lived process an event."""
