import { setTimeout as sleep } from 'node:timers/promises';
import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverified, unverifiedResult } from '../finding.ts';
import { type AdvisoryMatch, type Package, packageKey } from './vul-01-advisories/match.ts';
import { advisoryScan } from './vul-01-advisories/scan.ts';
import { severities } from './vul-01-advisories/severity.ts';
import type { Scanned } from './vul-01-advisories/worker.ts';

const maxLive = 2_000;
const maxPackages = 200_000;
/** How many days after an advisory a fix may be missing. */
const { fixDays } = clauseLimits['VUL-01'];
const maxEvidence = 50;
const absence = 'No deployment is live.';

type Deps = Pick<ControlDeps, 'sql' | 'osvDatabase' | 'now' | 'log'> & {
  /** How long a check waits for the advisories; less than the time limit of a control. */
  waitMs?: number;
};

/**
 * VUL-01: no live deployment has a package with a critical or high advisory whose fix has been available for longer than a framework
 * allows.
 */
export function dependencyControl({ sql, osvDatabase, now, log, waitMs = 15_000 }: Deps): Control {
  const scan = osvDatabase === undefined ? undefined : advisoryScan(osvDatabase, () => loadAllPackages(sql));
  return {
    id: 'VUL-01',
    of: 'team',
    async check(team_id, signal) {
      const live = await loadLivePackages(sql, team_id);
      const lists = `The packages of ${plural(live.length, 'live deployment')}`;
      // A configured but unreadable database is reported even when nothing is live.
      if (!scan && live.length === 0) return { looked_at: lists, absence, resources: [] };
      if (!scan)
        return unverifiedResult(
          lists,
          'There is no advisory database to compare packages with. Set PADDOCK_OSV_DATABASE to a file, a folder or an https address with entries in OSV format for PyPI and npm, and restart Paddock.',
        );
      const packages = live.flatMap((one) => one.packages ?? []);
      let scanned: Scanned | undefined;
      try {
        scanned = await Promise.race([scan(packages), sleep(waitMs, undefined, { signal, ref: false })]);
      } catch (error) {
        signal.throwIfAborted();
        // The error message names the location, which teams must not see.
        log.warn({ err: error }, 'advisory database (PADDOCK_OSV_DATABASE) cannot be read');
        return unverifiedResult(
          lists,
          'The advisory database that PADDOCK_OSV_DATABASE names cannot be read. The log of the server tells why.',
        );
      }
      if (!scanned)
        return unverifiedResult(
          lists,
          'The advisory database is being read, which takes longer than one check. Check again in a few minutes.',
        );
      if (scanned.entries === 0)
        return unverifiedResult(lists, 'The advisory database at PADDOCK_OSV_DATABASE holds no entries in OSV format.');
      const hitsOf = Map.groupBy(scanned.hits, (hit) => nameOf(hit.package));
      const at = now();
      return {
        looked_at: `${lists}: ${plural(packages.length, 'package')}, compared with ${plural(scanned.entries, 'advisory', 'advisories')}, the newest of ${scanned.modified ?? 'an unknown time'}`,
        absence,
        resources: live.map((one) =>
          judge(
            one,
            (one.packages ?? []).flatMap((installed) => hitsOf.get(nameOf(installed)) ?? []),
            at,
          ),
        ),
      };
    },
  };
}

const nameOf = (one: Package) => `${packageKey(one)} ${one.version}`;

function judge({ id, name, environment, packages, is_read, is_partial }: LivePackages, hits: AdvisoryMatch[], at: number): ControlFinding {
  const subject = { type: 'deployment', id, name: `${name} (${environment})` };
  const path = `/deployments/${id}`;
  if (!packages && is_read)
    return unverified(subject, `The packages of ${subject.name} were not compared: newer deployments have as many as one run compares.`, {
      fix: { text: 'Stop deployments that nobody needs.', path: '/deployments' },
    });
  if (!packages)
    return unverified(subject, `Which packages are installed in ${subject.name} was not read yet.`, {
      fix: { text: 'Wait an hour, or deploy it again.', path },
    });
  const sorted = hits.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const evidence = {
    packages: packages.length,
    advisories: hits.length,
    found: sorted.slice(0, maxEvidence).map(({ package: { name: of, version }, ...hit }) => ({ ...hit, package: of, version })),
  };
  const fixable = sorted.filter((hit) => isGrave(hit) && hit.fixed !== null && hit.published !== null);
  const ageDays = ({ published }: AdvisoryMatch) => (at - Date.parse(published ?? '')) / dayMs;
  const problems = fixDays.flatMap((limit) => {
    const overdue = fixable.filter((hit) => ageDays(hit) > limit.limit);
    const of = `${subject.name} has ${plural(overdue.length, 'critical or high advisory', 'critical or high advisories')} with a fix`;
    return above(
      [limit],
      Math.max(0, ...overdue.map(ageDays)),
      ({ limit: days, by }) => `${of} older than the ${days} days that ${by} allows: ${list(overdue)}.`,
    );
  });
  const [first] = fixable.filter((hit) => ageDays(hit) > fixDays[0].limit);
  if (first) {
    const fix = { text: `Raise ${first.package.name} to ${first.fixed} or later and deploy again.`, path };
    return failed(subject, problems, { evidence, fix });
  }
  if (is_partial)
    return unverified(subject, `Not all packages of ${subject.name} could be read.`, {
      evidence,
      fix: { text: 'Look for packages with unusual metadata, and deploy again.', path },
    });
  const rest =
    hits.length === 0 ? 'no advisory' : `${plural(hits.length, 'advisory', 'advisories')}, none of them overdue: ${list(sorted)}`;
  return passed(subject, `${plural(packages.length, 'package')} with ${rest}.`, evidence);
}

const isGrave = ({ severity }: AdvisoryMatch) => severity === 'critical' || severity === 'high';

function list(hits: AdvisoryMatch[]): string {
  const shown = hits.slice(0, 3).map((hit) => `${hit.package.name} ${hit.package.version} (${hit.id}, ${hit.severity})`);
  return shown.join(', ') + (hits.length > shown.length ? ` and ${hits.length - shown.length} more` : '');
}

interface LivePackages {
  id: string;
  name: string;
  environment: string;
  /** Null if not read, or if newer deployments fill the limit of one check. */
  packages: Package[] | null;
  is_read: boolean;
  is_partial: boolean | null;
}

const loadLivePackages = (sql: Sql, team_id: string) => sql<LivePackages[]>`
  select
    d.id, p.name, d.environment, i.is_partial, i.deployment_id is not null as is_read,
    case
      when sum(jsonb_array_length(i.packages)) over (order by d.created_at desc, d.id desc) <= ${maxPackages} then i.packages
    end as packages
  from deployments d
  join projects p on p.id = d.project_id
  left join deployment_packages i on i.team_id = d.team_id and i.deployment_id = d.id
  where d.team_id = ${team_id}
    and p.team_id = ${team_id}
    and p.deleting_at is null
    and d.status = 'active'
  order by d.created_at desc, d.id desc
  limit ${maxLive}`;

/** Packages of all teams without duplicates: one scan of the database serves all. */
const loadAllPackages = (sql: Sql) => sql<Package[]>`
  select distinct one.ecosystem, one.name, one.version
  from deployments d
  join deployment_packages i on i.deployment_id = d.id
  cross join lateral jsonb_to_recordset(i.packages) as one(ecosystem text, name text, version text)
  where d.status = 'active'
  limit ${maxPackages}`;
