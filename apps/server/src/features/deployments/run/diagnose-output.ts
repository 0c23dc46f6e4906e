import { type Plan, packageGiving, packageOfProgram } from '@paddock/builder';
import { lastErrorLine } from './last-error.ts';
import { boundedTail } from './missing-variables.ts';
import { needsNewerPython } from './newer-python.ts';
import { missingModule } from './python-modules.ts';
import { findUnfetched } from './unfetched.ts';

export interface MissingContext {
  lacks?: Plan['lacks'];
  unfetched?: Plan['unfetched'];
  /** Name and version of the installed package that should contain the missing module. */
  installed?: string | undefined;
  /** Path of the archive's own module of that name, if it has one: then no package is missing. */
  own?: string | undefined;
  /** Further packages that the start imports and that are not installed either. */
  others?: string[] | undefined;
  /** Language of the project, which says what package brings a missing program. */
  language?: Plan['language'] | undefined;
  /**
   * A sentence about the archive's template or source of the missing file, or about another way to give the input requested on a terminal.
   */
  instead?: string | undefined;
}

/** The missing dependency as a cause with its next step; undefined if the output names none. */
export function findMissingDependency(
  lines: string[],
  { lacks = [], unfetched, installed, own, others = [], language, instead }: MissingContext = {},
): string | undefined {
  const text = boundedTail(lines).join('\n');
  const of = (pattern: RegExp) => pattern.exec(text)?.[1];
  const newer = needsNewerPython(text);
  if (newer !== undefined) return newer;
  const ofBuild = findUnfetched(text, unfetched);
  if (ofBuild !== undefined) return ofBuild;
  const [, unknown, where = '', module = of(bunAbsent)] = lastAbsent(text) ?? [];
  if (unknown !== undefined)
    return where.includes('site-packages')
      ? `It ${unknown}: the package that was installed is not of the version that the source was written for. Pin that version in the dependencies and deploy again.`
      : `It ${unknown}: correct that import and deploy again.`;
  if (module !== undefined && (/^[./]/.test(module) || module === of(bunAbsent)))
    return `The file ${module} is not there: ${instead ?? 'check "start" in paddock.yaml, and that the build makes it.'}`;
  if (module !== undefined && own !== undefined) return ofArchive(module, own);
  if (module !== undefined) return withOthers(missingModule(module, text, installed), others);
  const settings = of(/^node: ([\w./-]{1,200}): not found$/m) ?? of(/No environment file found at: `([\w./-]{1,200})`/);
  if (settings !== undefined)
    return `The start command reads the file ${settings} (--env-file), which is not there: set its variables under Variables, and take --env-file out of the command.`;
  const program = of(absentProgram);
  const isOfSystem = (name: string) => packageGiving(name) !== undefined || lacks.some((one) => one.name === name);
  if (program !== undefined && isOfSystem(program)) return ofSystem(program, lacks);
  if (program !== undefined) return withOthers(absentPackage(program, language), others);
  const plain = of(/(?:exec: |line \d{1,9}: |sh: \d{1,9}: )((?:\.{1,2}\/|\/app\/)[\w./@-]{1,100}): Permission denied/);
  if (plain !== undefined)
    return `The file ${plain} is not executable: run "chmod +x ${plain.replace(/^\.\//, '')}" before you pack the archive (with Git: git update-index --chmod=+x), or start it with "sh ${plain}".`;
  if (/(?:\\r|\^M)['’]?: (?:bad interpreter|No such file)/.test(text))
    return 'A script has line ends of Windows (CRLF), so its first line names a program that is not there: save it with line ends of Linux (LF), with Git by “* text=auto eol=lf” in .gitattributes, and deploy again.';
  const library = absentLibrary(text);
  if (library !== undefined)
    return `The system library ${library} is not on this machine: use a package that brings it along, or ${askFor(library, lacks)}.`;
  const type = typeError(lines);
  if (type !== undefined)
    return `Its TypeScript does not compile: ${type}. Correct that, or set the variable TS_NODE_TRANSPILE_ONLY=true, and deploy again.`;
  const tool = of(/(?:No such file or directory: |spawn )'?([A-Za-z0-9][\w.+-]{0,60})(?:'|[ \t]ENOENT|$)/m);
  if (tool !== undefined && (isOfSystem(tool) || /^(npx|uvx)$/.test(tool))) return ofSystem(tool, lacks);
  if ((lastErrorLine(lines) ?? '').includes('unable to open database file'))
    return 'SQLite cannot open its file, as a rule because the folder is not there (Git keeps no empty ones): let the agent make it before, or put a file into it, and deploy again. What it writes ends with the deployment; a managed database stays.';
  if (text.includes('git.new/pathToRegexpError'))
    return 'The path of a route is one that Express 5 does not take: give its wildcard a name (“/*rest” instead of “*”), or pin express 4, and deploy again.';
  if (asksOnTerminal.test(text)) return instead === undefined ? wantsTerminal : `${wantsTerminal} ${instead}`;
  const last = lastErrorLine(lines) ?? '';
  return readOnly(last) ?? absentFile(last, instead);
}

const maxTypeError = 300;

/** The first error of ts-node without its explanation: `main.ts(2,20): error TS7016: Could not find a declaration file for module 'bell'`. */
function typeError(lines: string[]): string | undefined {
  const after = lines.slice(lines.findLastIndex((line) => line.includes('TSError:')) + 1);
  if (after.length === lines.length) return undefined;
  const first = after.find((line) => /\berror TS\d/.test(line));
  return first?.trim().slice(0, maxTypeError).split('. ', 1)[0]?.replace(/\.$/, '');
}

/** `own`: `backend/src`, or as `ownModule` has it */
function ofArchive(module: string, own: string): string {
  if (own === 'pyproject.toml')
    return `The module '${module}' is the project itself, which is not installed here: move its code into a folder of that name beside the file that imports it, and deploy again.`;
  if (own.slice(own.lastIndexOf('/') + 1).replace(/\.py$/, '') !== module)
    return `The module '${module}' is the archive's own ${own}, which pyproject.toml gives that name, and the project itself is not installed here: rename it to ${module}, and deploy again.`;
  const folder = own.includes('/') ? own.slice(0, own.lastIndexOf('/')) : '.';
  return `The module '${module}' is not found, though the archive has ${own}: set the variable PYTHONPATH=${folder}, or name the agent's own folder as Folder in the build settings (--root), and deploy again.`;
}

function withOthers({ told, lacks }: ReturnType<typeof missingModule>, others: string[]): string {
  const more = lacks === undefined ? [] : others.filter((name) => name !== lacks);
  return more.length === 0 ? told : `${told} Not installed either: ${more.join(', ')}.`;
}

/** The package missing by the last lines, if its name is certain, and the others that the start imports; empty if none is missing. */
export function lackedPackages(lines: string[], { installed, own, others = [], language }: MissingContext): string[] {
  const text = boundedTail(lines).join('\n');
  if (own !== undefined || needsNewerPython(text) !== undefined) return [];
  const [all, , , module] = lastAbsent(text) ?? [];
  const program = all === undefined ? absentProgram.exec(text)?.[1] : undefined;
  const ofModule = module === undefined || /^[./]/.test(module) ? undefined : missingModule(module, text, installed).lacks;
  const lacks = program === undefined ? ofModule : packageOfProgram(program, language);
  return lacks === undefined ? [] : [lacks, ...others.filter((name) => name !== lacks)];
}

const absentProgram = /(?:exec: |line \d{1,9}: |sh: \d{1,9}: )([\w./@-]{1,100}): (?:not found|No such file|command not found)/;

function absentPackage(program: string, language: Plan['language'] | undefined): ReturnType<typeof missingModule> {
  const lacks = packageOfProgram(program, language);
  return lacks === undefined
    ? {
        told: `The program ${program} is not there: add the package that brings it to the dependencies, or correct "start" in paddock.yaml.`,
      }
    : { told: `The program ${program} is not there: add ${lacks} to the dependencies and deploy again.`, lacks };
}

/** Bun's words for a file that is not there. */
const bunAbsent = /^error: Module not found "((?:\.{0,2}\/)?[\w./@-]{1,150}\.[cm]?[jt]sx?)"/m;

/** The last match: the source may have caught earlier errors. */
const lastAbsent = (text: string) => [...text.matchAll(absentImports)].at(-1);

/** A name missing from a module, with the module's path, or a missing module. */
const absentImports =
  /^ImportError: (cannot import name '[\w.]{1,100}' from '[\w.]{1,100}')(.{0,300})|(?:ModuleNotFoundError: No module named|^[\w.]{1,150}Error: .{0,300}[:.] No module named|Cannot find (?:module|package)) '([^']{1,200})'/gm;

/** A path outside the agent's writable folders, as in images that run as root. */
function readOnly(error: string): string | undefined {
  const path =
    /\[Errno (?:30|13)\] (?:Read-only file system|Permission denied): '(\/[^']{1,200})'/.exec(error)?.[1] ??
    /(?:EROFS|EACCES): (?:read-only file system|permission denied), (?:open|mkdir|rename|copyfile|access|unlink|symlink) '(\/[^']{1,200})'/.exec(
      error,
    )?.[1];
  if (path === undefined || /^\/(?:app|home\/agent|tmp)(?:\/|$)/.test(path)) return undefined;
  return `It writes to ${path}, which an agent may not: let it use a folder below /app, /data or /tmp, by a variable if it reads one for that, and deploy again. What it writes ends with the deployment.`;
}

const opens = 'It opens ';

/** The file in the last error. An earlier error may be from one of several places that were tried. */
function absentFile(error: string, instead?: string): string | undefined {
  const file = absentPath(error);
  if (file === undefined) return undefined;
  const next =
    instead === undefined
      ? 'which neither the archive nor the build has: put that file or its folder into the archive and deploy again.'
      : `which is not there. ${instead} Then deploy again.`;
  return `${opens}${file.replace(/^\/app\//, '')}, ${next}`;
}

/** The path of the file that could not be opened. */
export const absentPath = (error: string): string | undefined =>
  /^FileNotFoundError: \[Errno 2\] No such file or directory: '([^']{1,200})'/.exec(error)?.[1] ??
  /ENOENT: no such file or directory, (?:open|scandir|stat|lstat|access) '([^']{1,200})'/.exec(error)?.[1];

/** Whether unset variables are worth mentioning in addition. */
export const tellsOneOfMore = (part: string) => part.startsWith(wantsTerminal) || part.startsWith(opens);

export const asksOnTerminal = /EOFError: EOF when reading a line/;
export const wantsTerminal =
  'It asks for input on a terminal, which an agent here does not have: let it listen on $PORT, or read its input from variables.';

const ofSystem = (program: string, lacks: NonNullable<Plan['lacks']>) =>
  `The program ${program} is not on this machine: do without it, or ${askFor(program, lacks)}.`;

/** The request to the operator; with the Dockerfile's own package name, if it installs the package. */
function askFor(part: string, lacks: NonNullable<Plan['lacks']>): string {
  const name = packageGiving(part);
  const named = lacks.find((one) => one.name === part || (name !== undefined && packageGiving(part, one.name) !== undefined));
  if (named !== undefined) return `ask the operator to install ${named.name}, as ${named.because} does`;
  return `ask the operator to install ${name === undefined || name === part ? 'it' : `it (Debian: ${name})`}`;
}

/** `libGL.so.1` from `libGL.so.1: cannot open shared object file`. */
function absentLibrary(text: string): string | undefined {
  const end = text.indexOf(': cannot open shared object file');
  let start = end;
  while (start > 0 && /[\w.+-]/.test(text[start - 1] ?? '')) start -= 1;
  const name = text.slice(start, Math.max(start, end));
  return name.startsWith('lib') && name.includes('.so') && name.length <= 100 ? name : undefined;
}
