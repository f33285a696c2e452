"""Pure judging: scripts, timeline, dice desk, shared checks, replay. No clock, no net, no SQL."""
