"""Serves an MCP server object over streamable HTTP: serve_mcp.py MODULE:VARIABLE [FOLDER]."""

import importlib
import inspect
import os
import sys

target = sys.argv[1]
sys.path.insert(0, os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.getcwd())
module, _, variable = target.partition(":")
server = getattr(importlib.import_module(module), variable)

# By default the SDK answers to local host names only; here the gateway decides which names reach the agent.
# Its first version takes that as a setting, its second as an argument.
if hasattr(server.settings, "transport_security"):
    server.settings.transport_security = None
make = server.streamable_http_app
options = {"host": "0.0.0.0"} if "host" in inspect.signature(make).parameters else {}

import uvicorn  # noqa: E402

uvicorn.run(make(**options), host="0.0.0.0", port=int(os.environ["PORT"]))
