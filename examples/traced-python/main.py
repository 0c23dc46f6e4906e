"""An agent whose model and tool calls can be followed. It names no address for its traces: whoever runs it sets OTEL_EXPORTER_OTLP_ENDPOINT."""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.propagate import extract
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind

from model import scripted

MODEL = os.environ.get("MODEL", "gpt-4o-mini")
MAX_STEPS = 5
MAX_BODY_BYTES = 1024 * 1024
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "count_words",
            "description": "Counts the words of a text.",
            "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        },
    }
]

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(), schedule_delay_millis=1000))
trace.set_tracer_provider(provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = trace.get_tracer("traced-agent")
client = OpenAI() if os.environ.get("OPENAI_API_KEY") else OpenAI(api_key="none", http_client=httpx2.Client(transport=scripted))


def count_words(text: str) -> str:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "count_words"}
    with tracer.start_as_current_span("execute_tool count_words", attributes=attributes):
        return str(len(text.split()))


def answer(prompt: str) -> str:
    """Lets the model call the tool until it has an answer."""
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "words"}
    with tracer.start_as_current_span("invoke_agent words", attributes=attributes) as span:
        print(json.dumps({"level": "info", "message": "asked", "trace_id": f"{span.get_span_context().trace_id:032x}"}), flush=True)
        messages: list = [{"role": "user", "content": prompt}]
        for _ in range(MAX_STEPS):
            message = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS).choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return message.content or ""
            for call in message.tool_calls:
                result = count_words(**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        return f"I gave up after {MAX_STEPS} steps."


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/":
            self.reply(200, {"usage": 'POST /invocations {"prompt": "How many words are these?"}'})
        else:
            self.reply(404, {"error": "Not found"})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if self.path != "/invocations" or length > MAX_BODY_BYTES:
            return self.reply(404 if length <= MAX_BODY_BYTES else 413, {"error": "Not found, or too large"})
        body = self.rfile.read(length)
        # The trace goes on that the caller began.
        with tracer.start_as_current_span("POST /invocations", context=extract(self.headers), kind=SpanKind.SERVER):
            try:
                prompt = str(json.loads(body)["prompt"])
            except (ValueError, KeyError, TypeError):
                return self.reply(400, {"error": 'Send JSON such as {"prompt": "How many words are these?"}'})
            self.reply(200, {"answer": answer(prompt)})

    def reply(self, status: int, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The agent logs what it does, not every request."""


if __name__ == "__main__":
    # What is not sent yet is sent at the end of the interpreter.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    port = int(os.environ.get("PORT", "8080"))
    print(f"Traced agent listens on port {port}", flush=True)
    ThreadingHTTPServer(("0.0.0.0", port), Handler).serve_forever()
