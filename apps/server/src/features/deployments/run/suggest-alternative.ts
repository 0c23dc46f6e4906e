import { posix } from 'node:path';
import type { Artifact } from '@paddock/builder';
import { readStartBelow, StrangeFile, statBelow, walkBelow } from '@paddock/safe-files';
import { absentPath, asksOnTerminal } from './diagnose-output.ts';
import { lastErrorLine } from './last-error.ts';
import { namesBelow } from './names-below.ts';

/** Maximum entries read of a folder. */
const MAX_ENTRIES = 500;
const MAX_LINE = 2_000;
const MAX_SOURCE = 256 * 1024;
/** Maximum entries to search: the search blocks the server. */
const MAX_BUILT = 5_000;
const ABSENT_FILE = /Cannot find module '\/app\/([^'.][^']{0,200}\.[cm]?js)'/;
const OWN_FRAME = /^ {1,8}File "\/app\/([^".][^"]{0,200})", line \d/;
/** Words in the names of template files that users copy and fill in. */
const TEMPLATE = /^(?:example|sample|template|dist|defaults?|tpl)$/i;
/** Folders that builds write to. */
const BUILT = /^(?:dist|build|out|lib)\/(.{1,200})$/;

type Built = Pick<Artifact, 'app_dir' | 'cwd'> & { plan: Pick<Artifact['plan'], 'start'> };

/**
 * A sentence about the archive's template or source of a file that a start did not find, or about arguments that replace a prompt.
 * Undefined if there is none.
 */
export function suggestAlternative(tail: string[], artifact: Built): string | undefined {
  return tail.some((line) => asksOnTerminal.test(line.slice(0, MAX_LINE)))
    ? insteadOfAsking(tail, artifact)
    : insteadOfFile(tail, artifact);
}

/** The agent's file that prompted for input, if it also reads the command line. */
function insteadOfAsking(tail: string[], { app_dir, plan }: Built): string | undefined {
  const frames = tail.map((line) => OWN_FRAME.exec(line.slice(0, MAX_LINE))?.[1]);
  const path = frames.findLast((one) => one !== undefined && !one.includes('site-packages'));
  if (path === undefined || !/\bsys\.argv\b/.test(readFileStart(app_dir, path))) return undefined;
  return `Or give it as an argument, since ${path} reads them (sys.argv): the start command \`${plan.start.join(' ')} "…"\` in the build settings.`;
}

function readFileStart(root: string, path: string): string {
  try {
    return readStartBelow(root, path, MAX_SOURCE)?.toString('utf8') ?? '';
  } catch (error) {
    if (error instanceof StrangeFile) return '';
    throw error;
  }
}

/** A file of the same name that the build wrote deeper in the same folder, as TypeScript does when a source is outside the folder. */
function insteadOfBuilt(path: string, { app_dir, plan }: Built): string | undefined {
  const folder = posix.dirname(path);
  const found: string[] = [];
  try {
    // Walks from the root, so that no link in the archive leads elsewhere.
    const leadsTo = ({ path: at }: { path: string }) =>
      posix.basename(at) !== 'node_modules' && (`${folder}/`.startsWith(`${at}/`) || at.startsWith(`${folder}/`));
    for (const { path: at, kind } of walkBelow(app_dir, MAX_BUILT, leadsTo))
      if (kind === 'file' && at.startsWith(`${folder}/`) && posix.basename(at) === posix.basename(path))
        found.push(posix.relative(folder, at));
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
  }
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const start = plan.start.map((word) => (path.endsWith(word.replace(/^\.\//, '')) ? posix.join(posix.dirname(word), only) : word));
  return `the build made ${posix.join(folder, only)}. Give the start command \`${start.join(' ')}\` in the build settings and deploy again.`;
}

function insteadOfFile(tail: string[], artifact: Built): string | undefined {
  const { app_dir, cwd } = artifact;
  const module = tail.findLast((line) => ABSENT_FILE.test(line.slice(0, MAX_LINE)));
  const absent = module && ABSENT_FILE.exec(module.slice(0, MAX_LINE))?.[1];
  if (absent) return insteadOfBuilt(absent, artifact);
  const named = absentPath(lastErrorLine(tail) ?? '');
  if (named === undefined) return undefined;
  const path = named.startsWith('/') ? posix.relative('/app', posix.normalize(named)) : posix.join(cwd, named);
  if (path.startsWith('..')) return undefined;
  const folder = posix.dirname(path);
  const name = posix.basename(path);
  const neighbours = namesBelow(app_dir, folder === '.' ? '' : folder, MAX_ENTRIES);
  const template = neighbours.find((one) => one !== name && withoutTemplate(one) === withoutTemplate(name));
  if (template !== undefined) return `The archive has ${posix.join(folder, template)}: copy it to ${name} and fill it in.`;
  const built = BUILT.exec(path)?.[1];
  const source = built === undefined ? undefined : [`src/${built}`, built].find((each) => statBelow(app_dir, each) !== undefined);
  return source && `The archive has ${source}, which the build does not copy to ${posix.dirname(path)}: let the build script do that.`;
}

/** Maps `config.example.yml` and `config.yml` to the same name. */
const withoutTemplate = (name: string) =>
  name
    .split(/[._-]/)
    .filter((word) => !TEMPLATE.test(word))
    .join('.');
