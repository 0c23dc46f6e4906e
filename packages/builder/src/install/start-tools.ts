import { wordsOf } from '../detect/commands.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import type { Plan } from '../plan.ts';
import type { Mount } from '../step.ts';
import type { Interpreter } from './python-store.ts';
import type { Installed } from './request.ts';
import type { Tool } from './tool.ts';
import type { ToolName, ToolStore } from './tools.ts';

interface StartRequest {
  plan: Plan;
  tools: ToolStore;
  toolchains: Toolchains;
  installed: Installed;
  /** The interpreter of a Python plan; otherwise null. */
  python: Interpreter | null;
}

/** Languages and helpers that the start command needs besides the dependencies. */
export interface StartParts {
  mounts: Mount[];
  path: string[];
  env: Record<string, string>;
  node: Tool | null;
  warnings: string[];
}

/** Chooses the tools that the agent sees by the words of the start and build commands. */
export async function findStartTools({ plan, tools, toolchains, installed, python }: StartRequest): Promise<StartParts> {
  const parts: StartParts = { mounts: [await tools.launchers(), ...(python?.mounts ?? [])], path: [], env: {}, node: null, warnings: [] };
  const startWords = wordsOf(plan.start).map(lastPart);
  const words = [...startWords, ...wordsOf(plan.build ?? []).map(lastPart)];
  const managers = managersIn(startWords, plan);
  const runsOnNode = plan.language === 'node' || plan.language === 'static' || managers.length > 0;
  if (runsOnNode || words.some((w) => ['node', 'npm', 'npx'].includes(w))) {
    const node = await tools.node(plan.language === 'node' && plan.version !== undefined ? plan.version : toolchains.node.version);
    if (node.warning !== undefined) parts.warnings.push(node.warning);
    parts.node = node;
    parts.mounts.push(...node.mounts);
    parts.path.push(node.path);
  }
  for (const name of managers) {
    const tool = await tools.packageManager(name, name === plan.install?.manager ? plan.install.manager_version : undefined);
    parts.mounts.push(...tool.mounts);
    parts.path.push(tool.path);
  }
  // After the agent's own packages on PATH, so that a tsx of its own wins.
  const tsx = startWords.includes('tsx') ? await tools.tsx() : null;
  if (tsx !== null) {
    parts.mounts.push(...tsx.mounts);
    parts.path.push(tsx.path);
  }
  // If the agent has no environment of its own, its `python` is a launcher that runs this interpreter.
  if (python !== null && installed.mounts.length === 0) parts.env.PADDOCK_PYTHON = python.path;
  parts.path.push('/opt/paddock/launchers/bin');
  return parts;
}

function managersIn(words: string[], plan: Plan): ToolName[] {
  const yarn = plan.install?.manager === 'yarn-berry' ? 'yarn-berry' : 'yarn';
  const known: [string, ToolName][] = [
    ['npm', 'npm'],
    ['npx', 'npm'],
    ['pnpm', 'pnpm'],
    ['pnpx', 'pnpm'],
    ['yarn', yarn],
    ['bun', 'bun'],
    ['bunx', 'bun'],
  ];
  return [...new Set(known.filter(([word]) => words.includes(word)).map(([, tool]) => tool))];
}

function lastPart(word: string): string {
  return word.split('/').at(-1) ?? word;
}
