import type { Sample } from './sample.ts';

export interface Check {
  promise: string;
  holds: boolean;
  seen: string;
}

const check = (promise: string, holds: boolean, seen: string | number): Check => ({ promise, holds, seen: String(seen) });

/** Rows that remain after a person deletes everything: the account, and one row per periodic job. */
const kept = new Set(['users', 'teams', 'sessions', 'periodic_jobs']);

/**
 * Checks that everything is as it was. `start` was taken after a few agents had come and gone, so that what is loaded at first use is in
 * both samples. `busy` are the samples under load.
 */
export function compare(start: Sample, busy: Sample[], end: Sample): Check[] {
  const checks: Check[] = [];
  for (const [what, n] of Object.entries(end.machine)) {
    const before = start.machine[what as keyof Sample['machine']];
    checks.push(check(`${what} of agents on the machine are as many as at the start`, n === before, `${n}, at the start ${before}`));
  }
  for (const [folder, { entries }] of Object.entries(end.disk)) {
    // A package cache belongs to a team and is removed a week after its last use.
    const most = folder === 'cache' ? (end.rows.teams ?? 0) : 0;
    checks.push(check(`the folder ${folder} holds nothing of deleted projects`, entries <= most, `${entries} entries`));
  }
  for (const [table, n] of Object.entries(end.rows)) {
    const before = kept.has(table) ? start.rows[table]! : 0;
    checks.push(check(`the table ${table} holds nothing of deleted projects`, n <= before, `${n} rows`));
  }
  // Both samples follow a full vacuum: PostgreSQL keeps freed pages for later rows.
  checks.push(
    check(
      'the database is within 4 MB of its size at the start',
      end.database_mb <= start.database_mb + 4,
      `${end.database_mb} MB, at the start ${start.database_mb} MB`,
    ),
  );
  checks.push(...resources(start, end));
  return [...checks, ...growth(busy)];
}

function resources(start: Sample, end: Sample): Check[] {
  const [before, after] = [start.heap?.heap_mb ?? Number.NaN, end.heap?.heap_mb ?? Number.NaN];
  return [
    // Compiled code and bounded caches come with use. A leak of one small object per request or deployment exceeds this.
    check(
      "the server's heap after a collection is within 12 MB of the start",
      after - before <= 12,
      `${after.toFixed(1)} MB, at the start ${before.toFixed(1)} MB`,
    ),
    // The engine and the C library keep freed pages, also those of the threads that unpacked archives. Only a gross leak shows here; a slow
    // one shows in the heap, and in the growth of memory under load.
    ...(['server', 'gateway'] as const).map((name) =>
      check(
        `the ${name}'s memory is within 250 MB of the start`,
        end[name].pss_mb - start[name].pss_mb <= 250,
        `${end[name].pss_mb} MB, at the start ${start[name].pss_mb} MB`,
      ),
    ),
    // The database connection pool grows on demand and keeps its connections: 20 for the server, 4 for the gateway.
    check(
      "the server's descriptors are within its 20 connections of the start",
      end.server.descriptors - start.server.descriptors <= 20,
      `${end.server.descriptors}, at the start ${start.server.descriptors}`,
    ),
    check(
      "the gateway's descriptors are within its 8 connections of the start",
      end.gateway.descriptors - start.gateway.descriptors <= 8,
      `${end.gateway.descriptors}, at the start ${start.gateway.descriptors}`,
    ),
    check('connections to the database stay within the pools', end.connections <= 32, end.connections),
    check(
      "the server's threads are within 4 of the start",
      Math.abs(end.server.threads - start.server.threads) <= 4,
      `${end.server.threads}, at the start ${start.server.threads}`,
    ),
  ];
}

/** Number of samples in a third of half an hour. */
const longThird = 20;

/** Nothing may keep growing under an even load: the last third is compared with the middle one. */
function growth(busy: Sample[]): Check[] {
  const third = Math.floor(busy.length / 3);
  if (third < 2) return [];
  // The minimum of each third is compared: memory varies with each collection, and everything else with the work in progress.
  const compareThirds = (promise: string, of: (sample: Sample) => number, allowed: number) => {
    const least = (samples: Sample[]) => Math.min(...samples.map(of));
    const [middle, last] = [least(busy.slice(third, 2 * third)), least(busy.slice(2 * third))];
    return check(promise, last - middle <= allowed, `at least ${last.toFixed(0)}, before ${middle.toFixed(0)}`);
  };
  return [
    compareThirds("the server's heap does not grow under an even load", (one) => one.heap?.heap_mb ?? 0, 12),
    compareThirds("the server's memory does not grow under an even load", (one) => one.server.pss_mb, 40),
    compareThirds("the server's descriptors do not grow under an even load", (one) => one.server.descriptors, 60),
    // The run cannot trigger a collection of the gateway's heap. Its memory is freed all at once every few minutes, which only a long run evens out.
    ...(third >= longThird
      ? [compareThirds("the gateway's memory does not grow under an even load", (one) => one.gateway.pss_mb, 40)]
      : []),
    compareThirds("the gateway's descriptors do not grow under an even load", (one) => one.gateway.descriptors, 60),
    compareThirds('agents’ processes do not grow under an even load', (one) => one.machine.processes, 80),
  ];
}

/** The samples of start, middle and end side by side, as lines of a table. */
export function table(samples: Sample[]): string {
  const rows: Record<string, Record<string, string | number>> = {};
  for (const sample of samples) {
    const at = `${sample.name} (${sample.minute} min)`;
    for (const [what, value] of figures(sample)) rows[what] = { ...rows[what], [at]: value };
  }
  const columns = samples.map((sample) => `${sample.name} (${sample.minute} min)`);
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  const lines = Object.entries(rows).map(([what, cells]) => [
    what.padEnd(width),
    ...columns.map((at) => String(cells[at] ?? '–').padStart(at.length)),
  ]);
  return [['figure'.padEnd(width), ...columns], ...lines].map((cells) => cells.join('  ')).join('\n');
}

function figures(sample: Sample): [string, string | number][] {
  const { server, gateway, postgres, machine, disk, rows, visits } = sample;
  const each = Object.entries({ server, gateway, postgres }).flatMap(([name, one]): [string, string | number][] => [
    [`${name}: memory (PSS), MB`, one.pss_mb],
    [`${name}: descriptors`, one.descriptors],
    [`${name}: threads`, one.threads],
  ]);
  return [
    ...each,
    ['server: heap after a collection, MB', sample.heap?.heap_mb.toFixed(1) ?? '–'],
    ['postgres: processes', postgres.processes],
    ['database: connections', sample.connections],
    ['database: size, MB', sample.database_mb],
    ...Object.entries(machine).map(([name, n]): [string, number] => [`agents: ${name.replace('_', ' ')}`, n]),
    ...Object.entries(disk).map(([name, { mb, entries }]): [string, string] => [`disk: ${name}, MB (entries)`, `${mb} (${entries})`]),
    ...Object.entries(rows).map(([name, n]): [string, number] => [`rows: ${name}`, n]),
    [
      'deployments by state',
      Object.entries(sample.deployments)
        .map(([state, n]) => `${state} ${n}`)
        .join(' ') || 'none',
    ],
    ['visits in the interval', visits?.visits ?? '–'],
    [
      'visits by status',
      visits
        ? Object.entries(visits.statuses)
            .map(([status, n]) => `${status}:${n}`)
            .join(' ')
        : '–',
    ],
    ['visits p50 / p99, ms', visits ? `${visits.p50_ms} / ${visits.p99_ms}` : '–'],
  ];
}
