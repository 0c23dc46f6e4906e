"""Serves an MCP server object over streamable HTTP: serve_mcp.py MODULE:VARIABLE [FOLDER]."""

import importlib
import os
import sys

target = sys.argv[1]
sys.path.insert(0, os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.getcwd())
module, _, variable = target.partition(":")
server = getattr(importlib.import_module(module), variable)

# The SDK answers only to local host names by default; here the gateway decides which names reach the agent.
if hasattr(server.settings, "transport_security"):
    server.settings.transport_security = None

import uvicorn  # noqa: E402

uvicorn.run(server.streamable_http_app(), host="0.0.0.0", port=int(os.environ["PORT"]))
