import { boundedLines } from './said.ts';

const network =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|socket hang up|network (?:error|timeout|connectivity)|error sending request|dns error|failed to lookup address|Temporary failure in name resolution|Name or service not known|getaddrinfo ENOTFOUND|Connection (?:reset|refused|aborted|timed out)|Read timed out|operation timed out|\b(?:429|500|502|503|504) (?:Too Many|Internal|Bad Gateway|Service|Gateway)|status code:? 5\d\d|tunneling socket could not be established/i;
const personal =
  /\b(?:401|403|404)\b|E40[134]|No matching distribution|was not found in the package registry|ERESOLVE|ETARGET|No solution found/i;

/** Whether the registry or the network failed, not the project: the same command may succeed a moment later. */
export function isTransient(lines: string[]): boolean {
  const tail = boundedLines(lines);
  // pip goes on after a broken connection and ends with “No matching distribution”.
  if (tail.some((line) => /connection broken by/.test(line))) return true;
  return tail.some(saysNetwork) && !tail.some(saysPersonal);
}

const saysNetwork = (line: string) => network.test(line) || saysAfter(line, /Failed to (?:fetch|download)/i, /timed out|connection/i);

const saysPersonal = (line: string) => personal.test(line) || saysAfter(line, /lockfile/i, /out of date|needs to be updated/i);

/** Whether `then` fits the text from the first place of `first` on; each pattern is searched for once. */
function saysAfter(line: string, first: RegExp, then: RegExp): boolean {
  const at = line.search(first);
  return at !== -1 && then.test(line.slice(at));
}

const hints: [RegExp, string][] = [
  [
    /error TS5083|Cannot read file '/,
    'tsconfig.json builds on a file outside of the archive: deploy the whole repository, with a paddock.yaml whose “root” is this folder.',
  ],
  [/error TS\d+/, 'The source doesn’t compile: correct it, or pin the version of TypeScript that it was written for.'],
  [
    /No solution found|ResolutionImpossible|ERESOLVE/i,
    'Two dependencies ask for versions that exclude each other: loosen one of them, or deploy with a lock file.',
  ],
  [
    /No matching distribution|not found in the package registry|E404|\b404\b|ETARGET|because there are no versions of/i,
    'Check the spelling and the version of that package.',
  ],
  [
    /No module named '(?:pkg_resources|distutils)'/,
    'An old package is built with what newer tools no longer have: use a newer version of it, one with a prebuilt wheel.',
  ],
  [/E401|E403|\b401\b|\b403\b/i, 'The registry wants a login; the operator sets it up on the host.'],
  [
    /Microsoft Visual C|gcc|cc1|command 'cc'|error: command '|node-gyp|Python\.h/i,
    'A package has to be compiled and what that needs isn’t there: use a version with a prebuilt wheel or binary.',
  ],
  [/lockfile/i, 'Make the lock file again and deploy with it.'],
  [/ENOSPC|No space left|Disk quota/i, 'The build’s disk is full: use fewer or smaller dependencies.'],
  [/EACCES|EROFS|Read-only file system/i, 'Builds can write only below their own folder and /tmp.'],
  [/Cannot find module|ModuleNotFoundError|command not found|: not found/i, 'Name that package among the dependencies.'],
];

/** The line that tells the cause, and what to try. */
export function explain(lines: string[]): { reason: string; hint: string } {
  const clean = boundedLines(lines)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reason = (compilerReason(clean) ?? npmReason(clean) ?? uvReason(clean) ?? lastError(clean) ?? clean.at(-1) ?? '').slice(0, 400);
  const text = clean.join('\n');
  const host = /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]{1,200})/.exec(text)?.[1];
  const unreachable =
    host === undefined ? undefined : `It needs ${host}, which this machine doesn’t reach: do without it, or ask the operator.`;
  const hint = hints.find(([pattern]) => pattern.test(text))?.[1] ?? unreachable ?? 'The last lines of the log tell more.';
  return { reason, hint };
}

// A compiler's first error is the cause of the others.
function compilerReason(lines: string[]): string | undefined {
  return lines.find((line) => /error TS\d+: /.test(line));
}

// npm says the cause first and advice after it.
function npmReason(lines: string[]): string | undefined {
  const errors = lines
    .filter((line) => /^npm error (?!code |errno |syscall |path |command |A complete log|node_modules)/.test(line))
    .map((line) => line.slice('npm error '.length).trim());
  return errors.find((line) => /[a-z]{3}/.test(line))?.replace(/^(?:notarget|404|ERESOLVE)\s+/, '');
}

// uv draws a tree: what failed, and below it why.
function uvReason(lines: string[]): string | undefined {
  const at = lines.findIndex((line) => /^(?:× |error: No solution found)/.test(line));
  if (at === -1) return undefined;
  return lines
    .slice(at, at + 6)
    .map((line) => line.replace(/^[×╰├│─▶ ]+/, ''))
    .filter((line) => line !== '')
    .join(' ');
}

function lastError(lines: string[]): string | undefined {
  return lines.findLast((line) => !line.startsWith('at ') && (begins.test(line) || line.endsWith(': not found') || namesError(line)));
}

const begins = /^(?:error\b|err_|e:|fatal\b)/i;
const maxNameCharacters = 40;

/** `TypeError [CODE]: what`: the colon stands soon behind the name. */
function namesError(line: string): boolean {
  for (const { 0: name, index } of line.matchAll(/(?:Error|Exception)\b/gi)) {
    const after = line.slice(index + name.length, index + name.length + maxNameCharacters + 2);
    const colon = after.indexOf(':');
    if (colon !== -1 && after[colon + 1] === ' ') return true;
  }
  return false;
}
