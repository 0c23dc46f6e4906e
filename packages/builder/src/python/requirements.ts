import { posix } from 'node:path';
import { nameOfCondaBuild } from '../conda-paths.ts';
import { withoutComment } from '../detect/line-parts.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { maxIncludes } from '../python-dependencies.ts';

/** Normalises a package name (PEP 503). */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** A requirement's name and extras; null for options, paths and unreadable lines. */
export function readRequirement(line: string): { name: string; extras: string[]; constraint: string } | null {
  const text = line.trim();
  const name = /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(text)?.[0];
  if (name === undefined || /[._-]$/.test(name)) return null;
  const after = text.slice(name.length).trimStart();
  const end = after.startsWith('[') ? after.indexOf(']') : -1;
  const rest = after.slice(end + 1).trimStart();
  if (rest !== '' && !/^[=<>!~@;(,]/.test(rest)) return null;
  const extras = after
    .slice(1, Math.max(1, end))
    .split(',')
    .map((e) => normaliseName(e.trim()))
    .filter((e) => e !== '');
  return { name: normaliseName(name), extras, constraint: rest };
}

/** Names declared by a set of requirements: `fastapi`, and `fastapi[standard]` for an extra. */
export function readRequirementNames(lines: string[]): Set<string> {
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
  const repository = repositoryName(line);
  return repository === null ? null : { name: normaliseName(repository), extras: [] };
}

/** The last part of the path of `git+https://host/owner/name.git@revision`. */
function repositoryName(line: string): string | null {
  const words = line.trim().split(/\s+/);
  const address = words[0] === '-e' ? words[1] : words[0];
  if (words.length !== (words[0] === '-e' ? 2 : 1) || address?.startsWith('git+') !== true) return null;
  // A login before the host has an @ too; the @ of the revision is in the path.
  const path = address.slice(address.indexOf('/', address.indexOf('://') + 3) + 1).split('@', 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = last.endsWith('.git') ? last.slice(0, -4) : last;
  return /^[A-Za-z0-9._-]+$/.test(name) ? name : null;
}

export interface RequirementsFile {
  /** Requirement lines of the file and of the files it includes. */
  lines: string[];
  /** The file and the files it includes, in order. */
  inputs: string[];
  /** The lines with an exact version, if all others are of conda's builders: somebody froze an environment. */
  pinned: string[] | undefined;
  /** It installs from local folders or files. */
  needsSource: boolean;
}

/** Reads a requirements file with its `-r` and `-c` includes (at most 30 of them). */
export function readRequirementsFile(tree: SourceTree, path: string): RequirementsFile {
  const found: RequirementsFile = { lines: [], inputs: [], pinned: undefined, needsSource: false };
  const pinned: string[] = [];
  const named = new Set([path]);
  // A loop over a set also visits entries that are added during the loop.
  for (const file of named) {
    if (found.inputs.length === maxIncludes) break;
    const source = tree.read(file);
    if (source === null) continue;
    found.inputs.push(file);
    for (const raw of source.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
      const given = withoutComment(raw).trim();
      const ofConda = nameOfCondaBuild(given);
      const line = ofConda ?? given;
      const include = /^(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)/.exec(line);
      if (line === '') continue;
      if (include?.[1] !== undefined) named.add(posix.join(posix.dirname(file), include[1]));
      else if (isLocal(line)) found.needsSource = true;
      else if (!line.startsWith('-') || /^-e\s/.test(line)) {
        found.lines.push(line);
        if (ofConda === undefined) pinned.push(line);
      }
    }
  }
  return isFrozen(pinned) ? { ...found, pinned } : found;
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

/** Lines that a list has at least if it was written from an environment and not by hand. */
const minLines = 15;
const exact = /^[\w.-]{1,100}(?:\[[\w,. -]{1,100}\])?\s{0,3}==\s{0,3}[\w.!+-]{1,60}(?:\s{0,3};.{1,200})?$/;

/** Whether a requirement list names the exact version of each of its packages, as `pip freeze` writes it. */
const isFrozen = (lines: string[]): boolean => lines.length >= minLines && lines.every((line) => exact.test(line));
