/** The way in which a framework's object is served. */
export type Serving = 'asgi' | 'wsgi' | 'gradio' | 'agentcore' | 'fastmcp' | 'mcp' | 'dash';

/** Constructors, and methods of constructed objects, by their full dotted name. The variable they are assigned to is the app. */
export const constructors: Record<string, { framework: string; serving: Serving }> = {
  'fastapi.FastAPI': { framework: 'FastAPI', serving: 'asgi' },
  'fastapi.applications.FastAPI': { framework: 'FastAPI', serving: 'asgi' },
  'starlette.applications.Starlette': { framework: 'Starlette', serving: 'asgi' },
  'quart.Quart': { framework: 'Quart', serving: 'asgi' },
  'fasthtml.FastHTML': { framework: 'FastHTML', serving: 'asgi' },
  'fasthtml.common.FastHTML': { framework: 'FastHTML', serving: 'asgi' },
  'fasthtml.common.fast_app': { framework: 'FastHTML', serving: 'asgi' },
  'google.adk.cli.fast_api.get_fast_api_app': { framework: 'Google ADK', serving: 'asgi' },
  'agno.os.AgentOS.get_app': { framework: 'Agno', serving: 'asgi' },
  'litestar.Litestar': { framework: 'Litestar', serving: 'asgi' },
  'flask.Flask': { framework: 'Flask', serving: 'wsgi' },
  'falcon.App': { framework: 'Falcon', serving: 'wsgi' },
  'bottle.Bottle': { framework: 'Bottle', serving: 'wsgi' },
  'dash.Dash': { framework: 'Dash', serving: 'dash' },
  'gradio.Blocks': { framework: 'Gradio', serving: 'gradio' },
  'gradio.Interface': { framework: 'Gradio', serving: 'gradio' },
  'gradio.ChatInterface': { framework: 'Gradio', serving: 'gradio' },
  'gradio.TabbedInterface': { framework: 'Gradio', serving: 'gradio' },
  'bedrock_agentcore.BedrockAgentCoreApp': { framework: 'Bedrock AgentCore', serving: 'agentcore' },
  'bedrock_agentcore.runtime.BedrockAgentCoreApp': { framework: 'Bedrock AgentCore', serving: 'agentcore' },
  'fastmcp.FastMCP': { framework: 'FastMCP', serving: 'fastmcp' },
  'fastmcp.server.FastMCP': { framework: 'FastMCP', serving: 'fastmcp' },
  'mcp.server.fastmcp.FastMCP': { framework: 'MCP', serving: 'mcp' },
  'mcp.server.FastMCP': { framework: 'MCP', serving: 'mcp' },
  'mcp.server.MCPServer': { framework: 'MCP', serving: 'mcp' },
  'mcp.server.mcpserver.MCPServer': { framework: 'MCP', serving: 'mcp' },
};

// If a file has several apps, the outer one serves the inner one: a FastAPI app with a mounted MCP server or Gradio page is a FastAPI app.
export const servingOrder: Serving[] = ['asgi', 'agentcore', 'wsgi', 'dash', 'gradio', 'fastmcp', 'mcp'];

/** Names of requirements that include a server. */
export const providers = {
  uvicorn: [
    'uvicorn',
    'uvicorn[standard]',
    'fastapi[standard]',
    'fastapi[all]',
    'python-fasthtml',
    'mcp',
    'fastmcp',
    'bedrock-agentcore',
    'chainlit',
    'gradio',
    'litestar[standard]',
    'langgraph-api',
    'google-adk',
    'google-adk[a2a]',
    'agno[os]',
  ],
  gunicorn: ['gunicorn'],
  streamlit: ['streamlit'],
  chainlit: ['chainlit'],
  fastmcp: ['fastmcp'],
  'langgraph-cli[inmem]': ['langgraph-cli[inmem]'],
} as const satisfies Record<string, string[]>;

/** Command words that show that a command listens for HTTP. */
export const webCommands = new Set(
  'uvicorn gunicorn hypercorn daphne granian waitress-serve flask fastapi streamlit chainlit gradio langgraph next nuxt vite serve http-server remix-serve react-router-serve astro http.server'.split(
    ' ',
  ),
);
