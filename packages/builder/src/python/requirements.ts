import { posix } from 'node:path';
import type { SourceTree } from '../detect/source-tree.ts';

/** PEP 503: one spelling for each package name. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** A requirement's name and extras; null for options, paths and what can't be read. */
export function readRequirement(line: string): { name: string; extras: string[]; constraint: string } | null {
  const match = /^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(.*)$/.exec(line);
  if (match?.[1] === undefined) return null;
  const rest = match[3] ?? '';
  if (rest !== '' && !/^[=<>!~@;(,]/.test(rest)) return null;
  const extras = (match[2] ?? '')
    .split(',')
    .map((e) => normaliseName(e.trim()))
    .filter((e) => e !== '');
  return { name: normaliseName(match[1]), extras, constraint: rest };
}

/** Names declared by a set of requirements: `fastapi`, and `fastapi[standard]` for an extra. */
export function namesOf(lines: string[]): Set<string> {
  const names = new Set<string>();
  for (const line of lines) {
    const found = readRequirement(line) ?? readEgg(line);
    if (found === null) continue;
    names.add(found.name);
    for (const extra of found.extras) names.add(`${found.name}[${extra}]`);
  }
  return names;
}

function readEgg(line: string): { name: string; extras: string[] } | null {
  const egg = /[#&]egg=([A-Za-z0-9._-]+)/.exec(line)?.[1];
  if (egg !== undefined) return { name: normaliseName(egg), extras: [] };
  const repository = /^(?:-e\s+)?git\+\S+\/([A-Za-z0-9._-]+?)(?:\.git)?(?:@\S+)?$/.exec(line.trim())?.[1];
  return repository === undefined ? null : { name: normaliseName(repository), extras: [] };
}

export interface RequirementsFile {
  /** Requirement lines of the file and of those it includes. */
  lines: string[];
  /** The file and those it includes, in order. */
  inputs: string[];
  /** It installs from local folders or files. */
  needsSource: boolean;
}

/** Reads a requirements file with its `-r` and `-c` includes (at most 30 of them). */
export function readRequirementsFile(tree: SourceTree, path: string): RequirementsFile {
  const found: RequirementsFile = { lines: [], inputs: [], needsSource: false };
  const pending = [path];
  while (pending.length > 0 && found.inputs.length < 30) {
    const file = pending.shift() ?? '';
    const source = tree.read(file);
    if (source === null || found.inputs.includes(file)) continue;
    found.inputs.push(file);
    for (const raw of source.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
      const line = raw.replace(/(^|\s)#.*$/, '').trim();
      const include = /^(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)/.exec(line);
      if (line === '') continue;
      if (include?.[1] !== undefined) pending.push(posix.join(posix.dirname(file), include[1]));
      else if (isLocal(line)) found.needsSource = true;
      else if (!line.startsWith('-') || /^-e\s/.test(line)) found.lines.push(line);
    }
  }
  return found;
}

function isLocal(line: string): boolean {
  const target = line.replace(/^(-e|--editable)[\s=]+/, '');
  return (
    /^(\.|\/|file:)/.test(target) ||
    /@\s*file:/.test(target) ||
    /^(-f|--find-links)[\s=]+\.?\.?\//.test(line) ||
    /^\S+\.(whl|tar\.gz|zip)$/.test(target)
  );
}
