// The features meet in the database where no import shows it: each read of another room's table is declared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORE_TABLES, FOREIGN_READS } from './foreign-reads.ts';
import { featureOf, isTest, readSources } from './sources.ts';
import { readTables, writtenTables } from './sql-tables.ts';

const sources = readSources().filter((source) => /^apps\/(server|gateway)\/src\/.*\.ts$/.test(source.path) && !isTest(source));

/** `features/logs` for a feature, `jobs` for another folder of the server, `gateway process` for the gateway's program. */
function roomOf(path: string): string {
  if (path.startsWith('apps/gateway/')) return 'gateway process';
  const feature = featureOf(path);
  return feature ? `features/${feature}` : (path.split('/')[3] ?? '');
}

/** The rooms of the files in which `tablesIn` finds a table. */
function roomsByTable(tablesIn: (text: string) => string[]): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const { path, text } of sources)
    for (const table of tablesIn(text)) rooms.set(table, (rooms.get(table) ?? new Set()).add(roomOf(path)));
  return rooms;
}

const writers = roomsByTable(writtenTables);
const foreign = [...roomsByTable(readTables)]
  .filter(([table]) => writers.has(table) && !CORE_TABLES.includes(table))
  .map(([table, rooms]) => [table, [...rooms].filter((room) => !writers.get(table)!.has(room)).sort()] as const)
  .filter(([, rooms]) => rooms.length > 0);

test('each read of a table that another room writes is declared, and nothing is declared that is not read', () => {
  assert.deepEqual(Object.fromEntries(foreign), FOREIGN_READS);
  assert.ok(writers.size > 30, `only ${writers.size} tables are found to be written`);
});

test('a read is noticed in each form that a statement has', () => {
  const text = `
    select 1 from a_table a join b_table on true, c where exists (select from d_table)
    delete from e_table using f_table where extract(epoch from now()) > 0`;
  assert.deepEqual(readTables(text), ['a_table', 'b_table', 'd_table', 'e_table', 'f_table', 'now']);
  assert.deepEqual(writtenTables(text), ['e_table']);
});
