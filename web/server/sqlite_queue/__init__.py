"""SQLite as Django speaks it, with the writers of this process in line: docs/decisions/0024-sqlite-write-queue.md."""
