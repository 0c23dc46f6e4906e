import { compare } from '../compare-versions.ts';
import type { Package } from './lock-needs.ts';
import { allOf, anyOf, negated } from './markers.ts';
import { table } from './pyproject.ts';
import { normaliseName } from './requirements.ts';

/** The lines that install the content of a lock, and the names of all its packages. */
export interface LockedLines {
  lines: string[];
  names: Set<string>;
}

/** An entry of a lock file. */
interface Entry {
  /** Name and version, or the address. */
  requirement: string;
  name: string;
  version: string;
  /** The environments that the lock itself names for the entry, as a marker. */
  stated: string | undefined;
  /** The Python versions that the package supports, as a marker. */
  python?: string | undefined;
  /** The environments in which the project or other packages need the entry. Absent if nothing needs it. */
  need?: { marker: string | undefined } | undefined;
}

export function toEntry(one: Package, marker: unknown): Entry {
  const name = String(one.name);
  const stated = typeof marker === 'string' && marker !== '' ? marker : undefined;
  return { requirement: `${name}${exactly(one)}`, name: normaliseName(name), version: String(one.version), stated };
}

/** A package with more versions than this is written as the lock has it. */
const maxVersions = 10;

/**
 * A lock may hold a package in several versions for different environments. At most one of the written lines applies in any environment.
 */
export function lockedLines(entries: Entry[], { byNeed }: { byNeed: boolean }): LockedLines {
  const lines = new Set<string>();
  for (const same of Map.groupBy(entries, ({ name }) => name).values()) {
    const isAlone = new Set(same.map(({ requirement }) => requirement)).size === 1;
    const known = isAlone ? [] : same.filter(({ stated, need }) => stated !== undefined || need !== undefined);
    const marked = (known.length === 0 ? same : known).map((entry) => ({ ...entry, marker: resolveMarker(entry, { isAlone, byNeed }) }));
    for (const { requirement, marker } of exclusive(marked)) lines.add(marker === undefined ? requirement : `${requirement} ; ${marker}`);
  }
  return { lines: [...lines].sort(), names: new Set(entries.map(({ name }) => name)) };
}

function resolveMarker({ stated, need, python }: Entry, { isAlone, byNeed }: { isAlone: boolean; byNeed: boolean }): string | undefined {
  if (stated !== undefined) return stated;
  if (!isAlone) return allOf([need?.marker, python]);
  return byNeed ? need?.marker : undefined;
}

interface Marked {
  requirement: string;
  version: string;
  marker: string | undefined;
}

/** Limits each version to the environments that have no newer one. */
function exclusive(entries: Marked[]): Pick<Marked, 'requirement' | 'marker'>[] {
  const merged = [...Map.groupBy(entries, ({ requirement }) => requirement).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, marker: anyOf([first, ...others].map(({ marker }) => marker)) }],
  );
  if (merged.length === 1 || merged.length > maxVersions) return merged;
  const kept: Marked[] = [];
  const newer: string[] = [];
  for (const entry of merged.sort((a, b) => newestFirst(a.version, b.version))) {
    kept.push({ ...entry, marker: allOf([entry.marker, ...newer]) });
    if (entry.marker === undefined) break;
    const rest = negated(entry.marker);
    if (rest !== undefined) newer.push(rest);
  }
  return kept;
}

const newestFirst = (a: string, b: string): number => compare(b, a) || (a < b ? 1 : -1);

function exactly(one: Package): string {
  const source = table(one.source);
  const git = source.type === 'git' ? source.url : one.git;
  const revision = source.resolved_reference ?? one.revision;
  if (typeof git === 'string') return ` @ git+${git}${typeof revision === 'string' ? `@${revision}` : ''}`;
  return typeof one.version === 'string' ? `==${one.version}` : '';
}
