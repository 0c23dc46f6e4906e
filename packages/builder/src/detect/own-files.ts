import { readPackageJson } from '../node/package-json.ts';
import type { SourceTree } from './source-tree.ts';

/** Folders whose files are not the agent: documents, tests and tools, or files for browsers. */
const aside = /(?:^|\/)(?:\.[^/]+|tests?|__tests__|docs?|scripts?|tools|ci|examples?|notebooks|assets|static|public)\//;
const about =
  /(?:^|\/)(?:setup|conftest|noxfile|tasks|[^/]{1,200}\.(?:config|conf|test|spec|d)|\.[^/]{1,200}|gulpfile|Gruntfile)\.[a-z]{1,4}$/;

/** Whether a file is about the agent, such as a test or the settings of a tool, and not part of it. */
export const isAside = (path: string): boolean => aside.test(path) || about.test(path);

/** The first source file of each language, nearest to the root first; undefined if no file belongs to the agent. */
export function ownFiles(tree: SourceTree): { python?: string; node?: string } {
  const first = (kind: RegExp) => {
    const files = tree.files.filter((path) => kind.test(path) && !isAside(path));
    return files.find((path) => !path.includes('/')) ?? files[0];
  };
  const python = first(/\.py$/);
  const node = first(/\.[cm]?[jt]sx?$/);
  return { ...(python === undefined ? {} : { python }), ...(node === undefined ? {} : { node }) };
}

/**
 * Whether package.json has a start. A package.json that only lists tools (a formatter, hooks) does not start anything. A broken
 * package.json counts as a start.
 */
export function packageStarts(tree: SourceTree): boolean {
  try {
    return readPackageJson(tree.read('package.json') ?? '{}').scripts.start !== undefined;
  } catch {
    return true;
  }
}

const pythonWord = /^(?:python3?(?:\.\d+)?|uvicorn|gunicorn|hypercorn|streamlit|chainlit|fastapi|flask|langgraph|uv|poetry|pipenv)$|\.py$/;
const nodeWord = /^(?:node|npm|npx|pnpm|yarn|bun|tsx|ts-node|next)$|\.[cm]?[jt]s$/;

/** The language that the words of a command name; undefined if they name none, or both. */
export function detectLanguage(words: string[]): 'python' | 'node' | undefined {
  const [python, node] = [pythonWord, nodeWord].map((kind) => words.some((word) => kind.test(word.split('/').at(-1) ?? word)));
  if (python === node) return undefined;
  return python ? 'python' : 'node';
}
