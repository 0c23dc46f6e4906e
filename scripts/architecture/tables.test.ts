// Only a table's own feature writes it, and a few tables are written by one file: a reader who looks for a write has one place to look.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureOf, isTest, readSources } from './sources.ts';
import { writtenTables } from './sql-tables.ts';

const own = readSources().filter((source) => /^apps\/(server|gateway)\/src\/.*\.ts$/.test(source.path) && !isTest(source));

/** Tables with a fixed list of writers. */
const ONE_FILE: Record<string, string[]> = {
  moves: ['apps/server/src/features/deployments/states.ts'],
  routes: ['apps/server/src/features/deployments/addresses.ts'],
  // Gateways count visits; periodic jobs delete the counts.
  traffic_minutes: ['apps/gateway/src/traffic/traffic-store.ts', 'apps/server/src/gateway/traffic.ts'],
  // Calls and gateways add events; the sequencer that chains them removes them.
  audit_intake: [
    'apps/gateway/src/audit/spool/spool-store.ts',
    'apps/server/src/audit/intake-store.ts',
    'apps/server/src/features/governance/trail/sequencer/sequence-store.ts',
  ],
  // Each batch updates them; they are deleted after a long time without a batch.
  audit_spools: ['apps/gateway/src/audit/spool/spool-store.ts', 'apps/server/src/features/governance/trail/retention-store.ts'],
  // Gateways report a shortage while it lasts; it is deleted after a gateway's long silence.
  audit_shortages: [
    'apps/gateway/src/audit/shortage/shortage-store.ts',
    'apps/server/src/features/governance/trail/shortages/shortage-store.ts',
  ],
  // Gateways and the receiver of agents' spans add rows; rows are deleted with their traces; a person's data in them is erased.
  spans: [
    'apps/gateway/src/spans/span-store.ts',
    'apps/server/src/features/traces/receiver/span-store.ts',
    'apps/server/src/features/traces/subject-store.ts',
    'apps/server/src/features/traces/sweep-store.ts',
  ],
};

/** A feature with all its folders counts as one folder. */
const folderOf = (path: string) => featureOf(path) ?? path.slice(0, path.lastIndexOf('/'));

const writers = new Map<string, string[]>();
for (const { path, text } of own)
  for (const table of writtenTables(text)) {
    const paths = writers.get(table) ?? [];
    writers.set(table, paths.includes(path) ? paths : [...paths, path]);
  }

test('each table is written by files of one folder alone', () => {
  const shared = [...writers].filter(([table, paths]) => !(table in ONE_FILE) && new Set(paths.map(folderOf)).size > 1);
  assert.deepEqual(Object.fromEntries(shared), {});
  assert.ok(writers.size > 30, `only ${writers.size} tables are found to be written`);
});

test('where visitors are led, what is counted and recorded of them, and how deployments move is written where it says so', () => {
  for (const [table, files] of Object.entries(ONE_FILE)) assert.deepEqual(writers.get(table)?.sort(), files.sort(), table);
});

test('the status of a deployment and who owns it are written by one file each', () => {
  const doors = [
    { columns: /\bstatus\s*=/, file: 'states.ts' },
    { columns: /\b(lease_owner|lease_until|fence)\s*=/, file: 'leases.ts' },
  ];
  const around = own.flatMap(({ path, text }) =>
    [...text.matchAll(/\bupdate deployments\b.*?\bset\b(.*?)(?:\bwhere\b|\bfrom\b|\breturning\b|`;|`,$)/gms)].flatMap(([, set = '']) =>
      doors
        .filter(({ columns, file }) => columns.test(set) && !path.endsWith(`/deployments/${file}`))
        .map(({ file }) => `${path} writes what ${file} does`),
    ),
  );
  assert.deepEqual(around, []);
  const inserting = own.filter(({ text }) => /\binsert into deployments\b/.test(text)).map(({ path }) => path);
  assert.deepEqual(inserting, ['apps/server/src/features/deployments/states.ts']);
});
