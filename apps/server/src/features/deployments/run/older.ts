import { type Artifact } from '@paddock/builder';
import { lookBelow } from '@paddock/safe-files';
import type { NewestFailed } from '../leases.ts';
import { lastError } from './last-error.ts';
import { fail, type Run } from './parts.ts';

// The newest versions of packages may install, and not work together or with the source. Then those of the archive's own day are tried, once.

/** The agent writes the lines. */
const maxLines = 60;
const maxLineLength = 2000;

/** The error that ended a start, if it is of installed packages, whose other versions may do. Undefined if it may be of the archive's own modules. */
export function brokenPackage(tail: string[], artifact: Pick<Artifact, 'mounts' | 'plan'>): string | undefined {
  const error = lastError(tail);
  if (error === undefined) return undefined;
  if (/^ImportError: cannot import name '[^']{1,200}' from '[^']{1,200}'/.test(error)) return from(error, '/site-packages/');
  const module = /^AttributeError: (?:partially initialized )?module '([A-Za-z_]\w{0,100})(?:\.[\w.]{0,200})?' has no attribute '/.exec(
    error,
  )?.[1];
  if (module !== undefined) return isInstalled(module, artifact) ? error : undefined;
  if (/^TypeError: .{0,200}\bunexpected keyword argument '/.test(error))
    return lastFrame(tail)?.includes('/site-packages/') ? error : undefined;
  const absent = /^ModuleNotFoundError: No module named '([A-Za-z_]\w{0,100})\.[\w.]{1,200}'/.exec(error)?.[1];
  if (absent !== undefined && isInstalled(absent, artifact)) return error;
  // A package that does without its own need, or refuses what it finds beside it.
  if (/^(?:ImportError|ModuleNotFoundError): /.test(error)) return lastFrame(tail)?.includes('/site-packages/') ? error : undefined;
  if (/\[?ERR_(?:PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ESM)\b/.test(error)) return from(error, '/node_modules/');
  return /^SyntaxError: The requested module '[^./'][^']{0,200}' does not provide an export named /.test(error) ? error : undefined;
}

const from = (error: string, folder: string) => (error.includes(folder) ? error : undefined);

function lastFrame(tail: string[]): string | undefined {
  const lines = tail.slice(-maxLines).map((line) => line.slice(0, maxLineLength));
  return lines.findLast((line) => /^ {1,8}File "(?!<frozen )/.test(line));
}

function isInstalled(module: string, { mounts, plan }: Pick<Artifact, 'mounts' | 'plan'>): boolean {
  const environment = mounts.find(({ at }) => at.endsWith('/.venv'))?.from;
  const minor = plan.version?.split('.').slice(0, 2).join('.');
  if (environment === undefined || minor === undefined) return false;
  const packages = `lib/python${minor}/site-packages/${module}`;
  return [packages, `${packages}.py`].some((path) => lookBelow(environment, path) !== undefined);
}

/** Gives the deployment back, to be built with the versions of the archive's day. */
export async function buildOlder({ parts, d, out }: Run, why: NewestFailed): Promise<void> {
  const text = `The agent did not start with the newest versions of its packages: ${why.error} It is built again with those of ${why.date}, the newest date in the archive.`;
  out.write('platform', 'warning', text);
  await out.flush();
  await parts.transitions.buildOlder(d, { ...why, error: await out.masked(why.error), message: await out.masked(why.message) });
}

/** Ends the deployment: after a try with older versions, the first failure is what to mend. */
export async function failOlder(run: Run, stage: 'building' | 'deploying', message: string): Promise<void> {
  const first = run.d.newest_failed;
  if (first === null) return await fail(run, stage, message);
  run.out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  const [head, ...lines] = first.message.split('\n\nLast lines:');
  const tried = `${head} The versions of ${first.date}, the newest date in the archive, were tried, too, and failed.`;
  await fail(run, stage, [tried, ...lines].join('\n\nLast lines:'));
}
