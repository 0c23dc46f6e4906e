/** Rules for the names and links of an uploaded ZIP. The server enforces them, and the console checks them before the upload. */

/**
 * The names of an archive's entries as paths with slashes. Some packers prefix each name with `./`; an old Windows tool separates folders
 * by backslashes. A backslash beside a slash, or a path that leads out of the archive, is kept unchanged and refused.
 */
export function entryPaths(names: readonly string[]): string[] {
  const slashed = names.some((name) => name.includes('/')) ? names : names.map((name) => name.replaceAll('\\', '/'));
  const isHarmless = slashed.every((name) => !/^\/|^(?:\.\/)*[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(name));
  return (isHarmless ? slashed : names).map((name) => name.replace(/^(?:\.\/)+/, ''));
}

const packagesFolders = new Set(['node_modules', '.venv', 'venv', '.git']);

/**
 * Returns a check whether a link is part of installed packages or of a repository's own data, which no deployment takes from an archive.
 */
export function isSkippedLink(paths: readonly string[]): (path: string) => boolean {
  const mark = '/pyvenv.cfg';
  const environments = new Set(paths.filter((path) => path.endsWith(mark)).map((path) => path.slice(0, -mark.length)));
  return (path) => path.split('/').some((part, n, parts) => packagesFolders.has(part) || environments.has(parts.slice(0, n + 1).join('/')));
}

/** `place`: a path of the archive, which may not exist. `nowhere`: a cycle, or the archive's own folder. */
export type LinkEnd = { kind: 'place'; path: string } | { kind: 'nowhere' } | { kind: 'outside' };

const maxHops = 40;
const maxSteps = 1000;

/** The final target of a symbolic link, resolved through other links of the archive. `targets`: the text of each link by its path. */
export function resolveLink(link: string, targets: ReadonlyMap<string, string>): LinkEnd {
  const pending = link.split('/').reverse();
  const at: string[] = [];
  let hops = 0;
  for (let step = 0; pending.length > 0; step += 1) {
    if (step > maxSteps) return { kind: 'nowhere' };
    const part = pending.pop();
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return { kind: 'outside' };
      continue;
    }
    at.push(part ?? '');
    const here = at.join('/');
    const target = targets.get(here);
    if (target === undefined) continue;
    // A path in an archive may not contain a backslash or a control character.
    if (target.startsWith('/') || /[\\\p{Cc}\ufffd]/u.test(target)) return { kind: 'outside' };
    hops += 1;
    if (target === '' || hops > maxHops) return { kind: 'nowhere' };
    at.pop();
    pending.push(...target.split('/').reverse());
  }
  return at.length === 0 ? { kind: 'nowhere' } : { kind: 'place', path: at.join('/') };
}
