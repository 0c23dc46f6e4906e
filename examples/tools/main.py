"""An agent that answers questions by calling tools. Its log shows every call. Nothing to install, no key needed."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from model import complete
from tools import TOOLS, call

MAX_STEPS = 5
MAX_BODY_BYTES = 1024 * 1024


def answer(prompt: str) -> dict:
    """Lets the model call tools until it has an answer."""
    messages = [{"role": "user", "content": prompt}]
    calls = []
    for _ in range(MAX_STEPS):
        message = complete(messages, TOOLS)
        messages.append(message)
        if not message.get("tool_calls"):
            return {"answer": message["content"], "tool_calls": calls}
        for wanted in message["tool_calls"]:
            name, arguments = wanted["function"]["name"], json.loads(wanted["function"]["arguments"])
            result = call(name, arguments)
            print(f"INFO tool {name}({arguments}) -> {result}", flush=True)
            calls.append({"name": name, "arguments": arguments, "result": result})
            messages.append({"role": "tool", "tool_call_id": wanted["id"], "content": result})
    return {"answer": f"I gave up after {MAX_STEPS} steps.", "tool_calls": calls}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/ping":
            self.reply(200, {"status": "Healthy"})
        elif self.path == "/":
            self.reply(200, {"usage": 'POST /invocations {"prompt": "What is 12 * 7?"}', "tools": [tool["function"]["name"] for tool in TOOLS]})
        else:
            self.reply(404, {"error": f"No such path: {self.path}"})

    def do_POST(self) -> None:
        if self.path != "/invocations":
            return self.reply(404, {"error": f"No such path: {self.path}"})
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            return self.reply(413, {"error": "The request is too large."})
        try:
            prompt = json.loads(self.rfile.read(length))["prompt"]
        except (ValueError, KeyError, TypeError):
            return self.reply(400, {"error": 'Send JSON such as {"prompt": "What is 12 * 7?"}'})
        print(f"INFO asked: {prompt}", flush=True)
        self.reply(200, answer(str(prompt)))

    def reply(self, status: int, value: dict) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The agent logs what it does, not every request."""


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8080"))
    print(f"INFO tool-calling agent listens on port {port}", flush=True)
    ThreadingHTTPServer(("0.0.0.0", port), Handler).serve_forever()
