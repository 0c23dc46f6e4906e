"""A notebook for other agents: tools and a resource over the Model Context Protocol, at /mcp."""

import os
from datetime import datetime, timezone

from mcp.server import MCPServer

MAX_NOTES = 1000

server = MCPServer("notebook", instructions="Keeps short notes and finds them again.", version="1.0.0")
notes: list[dict[str, str]] = []


@server.tool()
def add_note(text: str) -> str:
    """Keep a note."""
    notes.append({"text": text, "written_at": datetime.now(timezone.utc).isoformat(timespec="seconds")})
    del notes[:-MAX_NOTES]
    return f"Kept as note {len(notes)}."


@server.tool()
def find_notes(word: str) -> list[dict[str, str]]:
    """Find the notes that contain a word."""
    return [note for note in notes if word.lower() in note["text"].lower()]


@server.resource("notes://all")
def all_notes() -> str:
    """Every note, one per line."""
    return "\n".join(f"{note['written_at']} {note['text']}" for note in notes)


if __name__ == "__main__":
    # Stateless: no session ties a client to this process, so that a new deployment can take over at any time.
    server.run("streamable-http", host="0.0.0.0", port=int(os.environ.get("PORT", "8080")), stateless_http=True)
