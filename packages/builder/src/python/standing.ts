import type { PythonDependencies } from '../python-dependencies.ts';
import type { Pyproject } from './pyproject.ts';
import { readRequirementNames } from './requirements.ts';

/** The standing of a framework among the dependencies: named, in an optional group or for development only, or absent. */
export type Standing = 'named' | 'optional' | 'absent';

/**
 * Packages that contain the module of a framework, its own package first. Packages whose name begins with it (`flask-cors`) include it too.
 */
const packages: Record<string, string[]> = {
  fastapi: ['fastapi', 'chainlit', 'gradio', 'langserve', 'langgraph-api', 'google-adk'],
  starlette: [
    'starlette',
    'fastapi',
    'mcp',
    'fastmcp',
    'bedrock-agentcore',
    'chainlit',
    'gradio',
    'sse-starlette',
    'python-fasthtml',
    'a2a-sdk',
  ],
  flask: ['flask', 'dash', 'mlflow', 'apiflask'],
  fasthtml: ['python-fasthtml'],
  bedrock_agentcore: ['bedrock-agentcore'],
  mcp: ['mcp', 'fastmcp'],
  google: ['google-adk'],
};

const packagesOf = (module: string) => packages[module] ?? [module];

/** The package to install for a framework's module. */
export const packageOf = (module: string): string => packagesOf(module)[0] ?? module;

export function standings(dependencies: PythonDependencies | null, pyproject: Pyproject | null): (module: string) => Standing {
  // Nothing is known without a list, or if packages of the archive itself have their own dependencies.
  if (dependencies === null || dependencies.needsSource) return () => 'named';
  const direct = readRequirementNames(pyproject?.dependencies ?? []);
  const groups = readRequirementNames(pyproject?.optional ?? []);
  const optional = [...groups].filter((name) => !direct.has(name));
  const isPyproject = ['pyproject.toml', 'setup.cfg', 'setup.py', 'uv.lock', 'poetry.lock', 'pdm.lock'].includes(dependencies.file);
  // A lock file holds the packages of every group.
  const named = [...dependencies.names].filter((name) => !isPyproject || !groups.has(name) || direct.has(name));
  return (module) => {
    if (brings(named, module)) return 'named';
    return brings(optional, module) ? 'optional' : 'absent';
  };
}

/** Packages that only share the name. */
const others = new Set(['gradio-client', 'fastapi-cli']);
const brings = (names: string[], module: string) =>
  packagesOf(module).some((wanted) =>
    names.some((name) => !others.has(name) && (name === wanted || name.startsWith(`${wanted}-`) || name.startsWith(`${wanted}[`))),
  );
