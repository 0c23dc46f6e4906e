import type { SourceTree } from '../detect/source-tree.ts';
import type { PackageJson } from './package-json.ts';
import type { NodeStart } from './start.ts';

/** Folders that eve reads an agent from. One of these files makes a folder such an agent. */
const agentFiles = ['agent', 'src/agent'].flatMap((folder) =>
  ['instructions.md', 'instructions.ts', 'instructions', 'agent.ts', 'agent.js'].map((name) => `${folder}/${name}`),
);

/** The commands of an eve agent whose package.json has no scripts of its own: eve's program builds and serves it. */
export function eveProject(tree: SourceTree, pkg: PackageJson): { build: string[]; start: NodeStart } | undefined {
  if (pkg.dependencies.eve === undefined || pkg.scripts.start !== undefined || pkg.scripts.build !== undefined) return undefined;
  const because = agentFiles.find((path) => tree.has(path) || tree.files.some((file) => file.startsWith(`${path}/`)));
  if (because === undefined) return undefined;
  const start: NodeStart = { command: ['eve', 'start', '--host', '0.0.0.0', '--port', '$PORT'], because, type: 'web' };
  return { build: ['npx', '--no-install', 'eve', 'build'], start };
}
