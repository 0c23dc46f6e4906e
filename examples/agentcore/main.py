"""An agent that speaks as AWS Bedrock AgentCore asks: POST /invocations, streamed, and GET /ping. Nothing to install, no key needed."""

import json
import os
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY_BYTES = 1024 * 1024
MAX_SESSIONS = 1000
SESSION_HEADER = "x-amzn-bedrock-agentcore-runtime-session-id"

sessions: OrderedDict[str, str] = OrderedDict()


def answer(prompt: str, session: str) -> str:
    """What this agent says: the words in reverse, and what was said before in the session."""
    before = sessions.get(session)
    if session:
        sessions[session] = prompt[:1000]
        sessions.move_to_end(session)
        while len(sessions) > MAX_SESSIONS:
            sessions.popitem(last=False)
    reversed_words = " ".join(reversed(prompt.split()))
    return f"{reversed_words} (before: {before})" if before else reversed_words


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/ping":
            self.reply(200, {"status": "Healthy", "time_of_last_update": int(time.time())})
        else:
            self.reply(404, {"error": f"No such path: {self.path}"})

    def do_POST(self) -> None:
        if self.path != "/invocations":
            return self.reply(404, {"error": f"No such path: {self.path}"})
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            return self.reply(413, {"error": "The request is too large."})
        try:
            prompt = str(json.loads(self.rfile.read(length))["prompt"])
        except (ValueError, KeyError, TypeError):
            return self.reply(400, {"error": 'Send JSON such as {"prompt": "Hello"}'})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for word in answer(prompt, self.headers.get(SESSION_HEADER, "")).split(" "):
            self.wfile.write(f"data: {json.dumps(word + ' ')}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.03)

    def reply(self, status: int, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8080"))
    print(f"AgentCore agent listens on port {port}", flush=True)
    ThreadingHTTPServer(("0.0.0.0", port), Handler).serve_forever()
