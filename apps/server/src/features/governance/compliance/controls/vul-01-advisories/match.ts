import { compare, valid } from 'semver';
import { comparePython } from './pep440.ts';
import { resolveSeverity, type Severity } from './severity.ts';

export interface Package {
  ecosystem: 'PyPI' | 'npm';
  name: string;
  version: string;
}

/** An advisory that affects a package in use. */
export interface AdvisoryMatch {
  id: string;
  package: Package;
  severity: Severity;
  summary: string;
  published: string | null;
  /** The lowest fixed version above the one in use; null if there is none. */
  fixed: string | null;
}

interface Event {
  introduced?: string;
  fixed?: string;
  last_affected?: string;
}

/** Key for comparing names: PyPI names in lower case, with every run of -_. alike. */
export const packageKey = ({ ecosystem, name }: { ecosystem: string; name: string }): string =>
  ecosystem === 'PyPI' ? `PyPI ${name.toLowerCase().replaceAll(/[-_.]+/g, '-')}` : `${ecosystem} ${name}`;

/** The packages (by `packageKey`) whose version an entry of an OSV database affects. */
export function matchAdvisories(entry: unknown, packages: ReadonlyMap<string, readonly Package[]>): AdvisoryMatch[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { id, withdrawn, affected, published, summary } = entry as Record<string, unknown>;
  if (typeof id !== 'string' || withdrawn !== undefined || !Array.isArray(affected)) return [];
  const hits = new Map<string, AdvisoryMatch>();
  for (const one of affected as Record<string, unknown>[]) {
    const named = one?.package as { ecosystem?: unknown; name?: unknown } | undefined;
    if (typeof named?.name !== 'string' || typeof named.ecosystem !== 'string') continue;
    for (const used of packages.get(packageKey({ ecosystem: named.ecosystem, name: named.name })) ?? []) {
      const found = affects(one, used);
      if (!found) continue;
      const severity = resolveSeverity({
        severity: one.severity ?? (entry as { severity?: unknown }).severity,
        database_specific: (entry as { database_specific?: unknown }).database_specific,
      });
      hits.set(`${packageKey(used)} ${used.version}`, {
        id: id.slice(0, 100),
        package: used,
        severity,
        summary: typeof summary === 'string' ? summary.slice(0, 200) : '',
        published: typeof published === 'string' && !Number.isNaN(Date.parse(published)) ? new Date(published).toISOString() : null,
        fixed: found.fixed,
      });
    }
  }
  return [...hits.values()];
}

function affects({ versions, ranges }: Record<string, unknown>, { ecosystem, version }: Package): { fixed: string | null } | undefined {
  const order = ecosystem === 'npm' ? compareNpm : comparePython;
  const events = (Array.isArray(ranges) ? (ranges as { type?: unknown; events?: unknown }[]) : [])
    .filter((range) => (range?.type === 'SEMVER' || range?.type === 'ECOSYSTEM') && Array.isArray(range.events))
    .map((range) => range.events as Event[]);
  const isListed = Array.isArray(versions) && versions.includes(version);
  if (!isListed && !events.some((one) => isWithin(one, version, order))) return undefined;
  const fixes = events
    .flat()
    .map((event) => event?.fixed)
    .filter((fix): fix is string => typeof fix === 'string' && (order(fix, version) ?? 0) > 0)
    .sort((a, b) => order(a, b) ?? 0);
  return { fixed: fixes[0]?.slice(0, 100) ?? null };
}

type Order = (a: string, b: string) => number | undefined;

/** By the OSV schema, the last event at or below the version decides. */
function isWithin(events: readonly Event[], version: string, order: Order): boolean {
  const at = (text: string | undefined): number | undefined => {
    if (typeof text !== 'string') return undefined;
    return text === '0' ? -1 : order(text, version);
  };
  const sorted = events
    .flatMap((event) => {
      const limit = event?.introduced ?? event?.fixed ?? event?.last_affected;
      return typeof limit === 'string' ? [{ event, limit }] : [];
    })
    .sort((a, b) => compareBounds(a.limit, b.limit, order));
  let within = false;
  for (const { event } of sorted) {
    const [introduced, fixed, last] = [at(event.introduced), at(event.fixed), at(event.last_affected)];
    if (introduced !== undefined && introduced <= 0) within = true;
    if (fixed !== undefined && fixed <= 0) within = false;
    if (last !== undefined && last < 0) within = false;
  }
  return within;
}

function compareBounds(a: string, b: string, order: Order): number {
  if (a === '0' || b === '0') return Number(b === '0') - Number(a === '0');
  return order(a, b) ?? 0;
}

const compareNpm: Order = (a, b) => (valid(a) && valid(b) ? compare(a, b) : undefined);
