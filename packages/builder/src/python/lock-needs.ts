import { allOf, anyOf, withExtras } from './markers.ts';
import { poetryConstraint, poetryMarker, table, texts } from './pyproject.ts';
import { normaliseName, readRequirement } from './requirements.ts';
import { matches } from './version.ts';

export type Package = Record<string, unknown>;

/** A dependency on a package, by the project itself or by another package of the lock. */
interface Need {
  name: string;
  constraint: string;
  marker: string | undefined;
  /** Name of the index that the package has to come from. */
  source?: string;
}

/** Maximum alternatives kept for a package, and markers joined in each. Beyond them a package counts as needed more often than it is. */
const maxAlternatives = 8;
const maxJoined = 4;
const maxMarkerCharacters = 500;

/** Each package that the roots' dependencies lead to, with the marker under which it is needed; undefined if it is always needed. */
export function neededPackages(packages: Package[], roots: Pick<Package, 'dependencies'>[]): Map<Package, string | undefined> {
  const byName = Map.groupBy(packages, (one) => normaliseName(String(one.name)));
  const edges = new Map<Package, Edge[]>();
  const needed = new Map<Package, Alternatives>();
  const pending: Package[] = [];
  const edgesOf = (needs: Need[]) =>
    needs.flatMap((need) => fitting(byName.get(need.name) ?? [], need).map((target) => ({ target, marker: need.marker })));
  const follow = ({ target, marker }: Edge, under: string[]) => {
    const known = needed.get(target) ?? { all: [], fresh: [] };
    needed.set(target, known);
    if (!noteAlternative(known, under, marker)) return;
    if (known.fresh.length === 1) pending.push(target);
  };
  for (const edge of edgesOf(roots.flatMap(readNeeds))) follow(edge, []);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const own = edges.get(next) ?? edgesOf(readNeeds(next));
    edges.set(next, own);
    const fresh = needed.get(next)?.fresh.splice(0) ?? [];
    for (const edge of own) for (const under of fresh) follow(edge, under);
  }
  return new Map([...needed].map(([one, { all }]) => [one, anyOf(all.map((markers) => allOf(markers)))]));
}

interface Edge {
  target: Package;
  marker: string | undefined;
}

/** Lists of markers. The package is needed if all markers of one list apply; an empty list always applies. */
interface Alternatives {
  all: string[][];
  /** Lists under which the package's own dependencies have not been followed yet. */
  fresh: string[][];
}

/** Returns false if a known alternative already covers the new one. */
function noteAlternative(known: Alternatives, under: string[], marker: string | undefined): boolean {
  const own = marker === undefined ? [] : [marker];
  let markers = [...new Set([...under, ...own])];
  if (markers.length > maxJoined || known.all.length >= maxAlternatives) markers = own;
  if (known.all.length >= 2 * maxAlternatives) markers = [];
  if (known.all.some((one) => one.every((marker) => markers.includes(marker)))) return false;
  known.all = [...known.all.filter((one) => !markers.every((marker) => one.includes(marker))), markers];
  known.fresh.push(markers);
  return true;
}

/** The entries of one name that a dependency may refer to; all of them if none matches. */
function fitting(entries: Package[], { constraint, source }: Need): Package[] {
  if (entries.length < 2) return entries;
  const fits = entries.filter((one) => allows(constraint, String(one.version)));
  const versions = fits.length === 0 ? entries : fits;
  const reference = (one: Package) => table(one.source).reference ?? 'pypi';
  const sourced = source === undefined ? versions : versions.filter((one) => String(reference(one)).toLowerCase() === source.toLowerCase());
  return sourced.length === 0 ? versions : sourced;
}

function allows(constraint: string, version: string): boolean {
  if (constraint.startsWith('@')) return true;
  return constraint.includes('+') ? constraint.includes(version) : matches(constraint, version.split('+', 1)[0] ?? version);
}

/**
 * The dependencies of a package in poetry.lock or a Poetry project (a table), or of a package in pdm.lock or a project (a list of lines).
 */
function readNeeds({ dependencies }: Package): Need[] {
  if (Array.isArray(dependencies)) return texts(dependencies).flatMap(needOfLine);
  return Object.entries(table(dependencies)).flatMap(([name, how]) =>
    (Array.isArray(how) ? how : [how]).map((one: unknown) => {
      const { version, source } = table(one);
      const constraint = typeof one === 'string' ? one : version;
      const ranges = typeof constraint === 'string' ? constraint.split('||') : [];
      return {
        name: normaliseName(name),
        constraint: ranges.map(poetryConstraint).join('||'),
        marker: usable(poetryMarker(one)),
        ...(typeof source === 'string' ? { source } : {}),
      };
    }),
  );
}

function needOfLine(line: string): Need[] {
  const requirement = readRequirement(line);
  if (requirement === null) return [];
  // The address of a package may contain a semicolon. After an address the semicolon before a marker follows a space.
  const at = requirement.constraint.indexOf(requirement.constraint.startsWith('@') ? ' ;' : ';');
  if (at === -1) return [{ name: requirement.name, constraint: requirement.constraint, marker: undefined }];
  const marker = usable(requirement.constraint.slice(requirement.constraint.indexOf(';', at) + 1));
  return [{ name: requirement.name, constraint: requirement.constraint.slice(0, at).trim(), marker }];
}

/** The lock does not show whether an extra was requested, so packages of an extra are always installed. */
function usable(marker: unknown): string | undefined {
  if (typeof marker !== 'string' || marker.trim() === '' || marker.length >= maxMarkerCharacters) return undefined;
  return /\bextra\b/.test(marker) ? withExtras(marker) : marker.trim();
}
