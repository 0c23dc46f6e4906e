// Background work that grows with data: each periodic job and each loop declares what a turn reads, its bound, and where the work runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JobGrowth, loops, periodicJobs } from './growing-jobs.ts';
import { isTest, readSources, type Source } from './sources.ts';

const sources = readSources();
const ofServer = sources.filter((source) => source.path.startsWith('apps/server/src/') && source.path.endsWith('.ts') && !isTest(source));

test('each periodic job has a row, and each row has its job', () => {
  assert.deepEqual(ofServer.flatMap(jobsIn).toSorted(), Object.keys(periodicJobs).toSorted());
});

test('each loop of background work has a row, and each row has its loop', () => {
  const found = ofServer.filter(({ text }) => loopOrTimer.test(text)).map(({ path }) => path);
  assert.deepEqual(found.toSorted(), Object.keys(loops).toSorted());
});

test('each bound of a job that is named stands where it is said to stand', () => {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const rows: [string, JobGrowth][] = [...Object.entries(periodicJobs), ...Object.entries(loops)];
  const wrong = rows.flatMap(([name, { bound }]) => {
    if (typeof bound === 'string' || texts.get(bound.file)?.includes(bound.text)) return [];
    return [`${name}: ${bound.file} has no "${bound.text}"`];
  });
  assert.deepEqual(wrong, []);
});

test('a job whose name cannot be read from the source is noticed', () => {
  const source = (text: string): Source => ({ path: 'x.ts', text, imports: [] });
  assert.deepEqual(jobsIn(source("jobs: [{ name: 'a.b', everySeconds: 60, run }, { name: 'c.d', of: node, everySeconds, run }]")), [
    'a.b',
    'c.d',
  ]);
  assert.throws(() => jobsIn(source('jobs: [{ name: nameOf(it), everySeconds: 60, run }]')), /x\.ts/);
});

test('what is removed for its age is removed in batches', () => {
  const atOnce = ofServer.flatMap(({ path, text }) => {
    const statements = [...text.matchAll(/\bdelete from (\S+)/g)].map((match) => ({ table: match[1]!, rest: text.slice(match.index) }));
    const byAge = statements
      .map(({ table, rest }) => ({ table, statement: rest.slice(0, rest.search(/`[,;)]|`\n/)) }))
      .filter(({ statement }) => /< (?:now\(\)|\$\{older)|greatest\(window_start/.test(statement) && !/\blimit \$/.test(statement));
    return byAge.map(({ table }) => `${path} ${table}`);
  });
  assert.deepEqual(atOnce.toSorted(), fewRows.toSorted(), 'use removeInBatches');
});

/** Unbounded statements on tables that no team fills. */
const fewRows = [
  'apps/server/src/features/billing/subscriptions/job-store.ts billing_accounts', // one row of each team
  'apps/server/src/features/governance/trail/retention-store.ts audit_spools', // one row of each gateway
  'apps/server/src/features/governance/trail/shortages/shortage-store.ts audit_shortages', // one row of each gateway
  'apps/server/src/jobs/periodic.ts periodic_jobs',
  'apps/server/src/nodes/store.ts nodes',
];

/** Repeating timers, loops that run until an abort, and loops over notifications. */
const loopOrTimer =
  /\bsetInterval\(|\bwhile \([^\n]*\baborted\b|^\s*(?:const \w+ = )?startNotifiedLoop\(|export function startNotifiedLoop/m;

/** The names of the periodic jobs in a file. Throws if a job has a period but no literal name. */
function jobsIn({ path, text }: Source): string[] {
  if (path in notJobs) return [];
  const names = [...text.matchAll(/\bname: '([a-z.-]+)',\s+(?:of: \w+, )?everySeconds\b/g)].map(([, name]) => name!);
  const periods = [...text.matchAll(/\beverySeconds(?:: [\w.]+)?,(?: |\n\s+)(?:async )?run\b/g)].length;
  if (periods !== names.length) throw new Error(`${path} has ${periods} periodic jobs, and the names of ${names.length} are plain text`);
  return names;
}

/** The loop that runs the jobs. */
const notJobs: Record<string, true> = { 'apps/server/src/jobs/periodic.ts': true };
