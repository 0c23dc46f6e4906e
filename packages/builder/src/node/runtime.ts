import { importedFrom } from '../detect/imported-files.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { NodeManager } from './manager.ts';
import type { PackageJson } from './package-json.ts';
import type { NodeStart } from './start.ts';

interface Project {
  tree: SourceTree;
  pkg: PackageJson;
  manager: NodeManager;
}

/**
 * A guessed start with the runtime that the source was written for. Bun runs source that uses its interfaces, and the TypeScript of Bun
 * projects. Node reads TypeScript only if imports have file extensions and types can be erased, so tsx runs the rest. Explicit starts are
 * kept, except those with ts-node and ES modules, which ts-node cannot load.
 */
export function withRuntime(found: NodeStart, project: Project): NodeStart {
  const start = { ...found, command: withoutNpx(found.command) };
  const [program, entry = ''] = start.command;
  if (program === 'ts-node' && project.pkg.isModule && /^[\w./-]+\.m?ts$/.test(entry))
    return {
      ...start,
      command: ['tsx', ...start.command.slice(1)],
      because: `${start.because}; ts-node loads no ES modules`,
    };
  const [node, dashes, file = ''] = start.command;
  if (node !== 'node' || dashes !== '--' || start.command.length !== 3 || !project.tree.has(file)) return start;
  const isTyped = /\.[cm]?tsx?$/.test(file);
  const texts = (importedFrom(file, project.tree) ?? [file]).map((path) => project.tree.read(path) ?? '');
  if (texts.some((text) => ofBun.test(text)) || (isTyped && isBunProject(project)))
    return { ...start, command: ['bun', file], because: `${start.because}, of a project of bun` };
  if (!isTyped || !texts.some(needsCompiler)) return start;
  return { ...start, command: [...compiler(project.pkg), file], because: `${start.because}, whose TypeScript Node can’t read by itself` };
}

/** Paddock includes tsx: `npx` would download it at each start. */
function withoutNpx(command: string[]): string[] {
  const rest = command[0] === 'npx' ? command.slice(1).filter((word, at) => at > 0 || !/^(?:-y|--yes)$/.test(word)) : [];
  return rest[0] === 'tsx' ? rest : command;
}

const ofBun = /\bBun\.(?:serve|file|env|write|spawn|sql|password)\b|\bfrom\s{0,20}["']bun(?::\w{1,20})?["']/;

const isBunProject = ({ pkg, manager }: Project) =>
  manager === 'bun' || ['@types/bun', 'bun-types'].some((name) => pkg.devDependencies[name] ?? pkg.dependencies[name]);

const withoutEnding = /\bfrom\s{0,20}["'](?:\.{1,2}\/(?:[^"'\n]{0,200}\/)?[^"'\n./]{1,100}|@\/[^"'\n]{1,200}|~\/[^"'\n]{1,200})["']/;
const withCode =
  /^(?:export )?(?:const )?(?:enum|namespace) \w|^[ \t]{0,20}@[A-Z]\w{0,60}\(|\bconstructor\(\s{0,20}(?:private|public|protected|readonly) /m;
const needsCompiler = (text: string) => withoutEnding.test(text) || withCode.test(text);

const has = ({ dependencies, devDependencies }: PackageJson, name: string) =>
  dependencies[name] !== undefined || devDependencies[name] !== undefined;

const compiler = (pkg: PackageJson) => (has(pkg, 'ts-node') && !has(pkg, 'tsx') && !pkg.isModule ? ['ts-node'] : ['tsx']);
