import { isSkippedLink } from '@paddock/contract/archive-paths';
import type { ZipEntry } from './entry-rules.ts';

const junk = (name: string) => /(^|\/)(__MACOSX|\.git)(\/|$)/.test(name) || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(name);

const unwanted = [
  {
    match: /(^|\/)node_modules(\/|$)/,
    warning: 'node_modules/ is in the archive; Paddock installs dependencies itself, leave it out for faster uploads.',
  },
  {
    match: /(^|\/)\.?venv(\/|$)/,
    warning: 'A Python environment (.venv/) is in the archive; Paddock installs dependencies itself, leave it out.',
  },
  { match: /(^|\/)\.env$/, warning: '.env is in the archive; secrets belong in the project’s environment variables.' },
] as const;

export interface NormalisedEntry extends ZipEntry {
  /** Relative to the destination. */
  path: string;
}

/** Drops files that packers add, links of installed packages, and the single top folder. Folders are only created for files. */
export function normalise(entries: ZipEntry[]): { entries: NormalisedEntry[]; stripped: string | null; warnings: string[] } {
  const packed = entries.filter((e) => !e.directory && !junk(e.name));
  const warnings = unwanted.filter(({ match }) => packed.some((f) => match.test(f.name))).map((u) => u.warning);
  const isSkipped = isSkippedLink(packed.map(({ name }) => name));
  const files = packed.filter((e) => !(e.link && isSkipped(e.name)));
  const first = files[0]?.name.split('/')[0] ?? '';
  const stripped = files.length > 0 && files.every((f) => f.name.startsWith(`${first}/`)) ? first : null;
  const cut = stripped === null ? 0 : stripped.length + 1;
  return { entries: files.map((f) => Object.assign(f, { path: f.name.slice(cut) })), stripped, warnings };
}
