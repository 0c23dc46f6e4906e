import { commandLine } from '../detect/commands.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { PackageJson } from './package-json.ts';

const usualSchemas = ['prisma/schema.prisma', 'schema.prisma', 'prisma/schema', 'prisma.config.ts'];
const generate = ['npx', '--no-install', 'prisma', 'generate'];
/** Scripts that run before the source is compiled. */
const earlyScripts = ['preinstall', 'install', 'postinstall', 'prepare', 'prebuild'];

export interface PrismaBuild {
  command: string[];
  /** The path of the schema. */
  because: string;
}

/**
 * The build with the generation of Prisma's client before it: the source imports that client, and authors generate it by hand (`npx prisma
 * generate`). Null if there is no schema, or if the project's own scripts generate it in time.
 */
export function prismaBuild(tree: SourceTree, pkg: PackageJson, build: string[] | null): PrismaBuild | null {
  if (pkg.dependencies.prisma === undefined && pkg.devDependencies.prisma === undefined) return null;
  const because = usualSchemas.find((path) => tree.has(path) || tree.files.some((file) => file.startsWith(`${path}/`)));
  if (because === undefined || earlyScripts.some((name) => generates(pkg.scripts[name]))) return null;
  if (/^(?:npx\s{1,20}(?:-y\s{1,20}|--yes\s{1,20}|--no-install\s{1,20})?)?prisma\s{1,20}generate\b/.test(pkg.scripts.build?.trim() ?? ''))
    return null;
  return { command: build === null ? generate : ['/bin/sh', '-c', `${commandLine(generate)} && ${commandLine(build)}`], because };
}

const generates = (script: string | undefined) => script !== undefined && /\bprisma\s{1,20}generate\b/.test(script);
