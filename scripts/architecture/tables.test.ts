// A table is written by its feature alone, and a few facts by one file: whoever wants to know what moved has one door to ask at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, readSources } from './sources.ts';

const own = readSources().filter((source) => /^apps\/(server|gateway)\/src\/.*\.ts$/.test(source.path) && !isTest(source));

/** Tables that one statement writes, by the words before their names. Neither `for update` nor `do update` names one. */
const WRITES = /\b(?:insert\s+into|delete\s+from|(?<!(?:for|do)\s)update)\s+([a-z_]+)(?=[\s(`])/g;

/** Facts with one writer. */
const ONE_FILE: Record<string, string[]> = {
  moves: ['apps/server/src/features/deployments/states.ts'],
  routes: ['apps/server/src/features/deployments/addresses.ts'],
  // Counted where the visits are; forgotten where the periodic jobs are.
  traffic_minutes: ['apps/gateway/src/traffic/traffic-store.ts', 'apps/server/src/gateway/traffic.ts'],
  // Events come from calls and from gateways; whoever chains them takes them away.
  audit_intake: [
    'apps/gateway/src/audit/spool/spool-store.ts',
    'apps/server/src/audit/intake-store.ts',
    'apps/server/src/features/governance/sequencer/sequence-store.ts',
  ],
  // Moved with each batch; forgotten when nothing came for long.
  audit_spools: ['apps/gateway/src/audit/spool/spool-store.ts', 'apps/server/src/features/governance/retention-store.ts'],
  // Reported by gateways while it lasts; forgotten when a gateway is silent for long.
  audit_shortages: ['apps/gateway/src/audit/shortage/shortage-store.ts', 'apps/server/src/features/governance/shortages/shortage-store.ts'],
  // Recorded where the visits and where the agents' own spans come in; forgotten with their traces; a person's data in them is erased.
  spans: [
    'apps/gateway/src/spans/span-store.ts',
    'apps/server/src/features/traces/receiver/span-store.ts',
    'apps/server/src/features/traces/subject-store.ts',
    'apps/server/src/features/traces/sweep-store.ts',
  ],
};

/** A feature with all its folders counts as one. */
const folderOf = (path: string) => /^apps\/server\/src\/features\/[^/]+/.exec(path)?.[0] ?? path.slice(0, path.lastIndexOf('/'));

const writers = new Map<string, string[]>();
for (const { path, text } of own)
  for (const [, table = ''] of text.matchAll(WRITES)) {
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
