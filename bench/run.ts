import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from './measure.ts';
import type { Result, Row } from './row.ts';
import { Skipped } from './skipped.ts';

const maxRowMs = 300_000;
const folder = join(import.meta.dirname, 'rows');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();
const asked = process.argv.slice(2);
if (asked.includes('--trace')) {
  if (asked.filter((word) => word !== '--trace').join() !== 'deploy') {
    console.error('Only one row can be traced: npm run bench -- deploy --trace');
    process.exit(2);
  }
  const { traceDeployments } = await import('./trace/deployments.ts');
  await traceDeployments();
  process.exit(0);
}
/** A folder's name stands for all rows in it. */
const isMeant = (name: string, by: string) => name === by || name.startsWith(`${by}/`);
const wanted = asked.length ? names.filter((name) => asked.some((by) => isMeant(name, by))) : names;
const unknown = asked.filter((by) => !names.some((name) => isMeant(name, by)));
if (unknown.length) {
  console.error(`There is no row ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  process.exit(2);
}

const here = machine();
console.log(`${here.cores} cores (${here.cpu}), Node ${here.node}, load ${here.load}\n`);
let isStuck = false; // the row's work may still be running and would spoil the other rows
const results: (Result & { row: string })[] = [];
for (const name of wanted) {
  if (isStuck) {
    results.push({ row: name, work: name, unit: '', ours: 'not measured', peer: 'skipped: the row before never ended' });
    continue;
  }
  const { row } = (await import(join(folder, `${name}.ts`))) as { row: Row };
  process.stdout.write(`${row.name} (about ${row.seconds} s) …\n`);
  const begun = performance.now();
  await measure(row, (result) => {
    results.push({ row: row.name, ...result });
    print(result);
  });
  console.log(`  ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
}
summarise();
writeFileSync(
  join(import.meta.dirname, 'results.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine: here, rows: results }, null, 2)}\n`,
);

if (isStuck) process.exit(1);

/** A row that fails reports the error in its place, and the others are measured all the same. */
async function measure(row: Row, report: (result: Result) => void) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      isStuck = true;
      reject(new Error('took too long'));
    },
    Math.max(maxRowMs, 2_000 * row.seconds),
  );
  try {
    await Promise.race([row.run(report), late]);
  } catch (error) {
    if (error instanceof Skipped) return report({ work: row.name, unit: '', ours: 'not measured', peer: `skipped: ${error.message}` });
    process.exitCode = 1;
    report({ work: row.name, unit: '', ours: `failed: ${(error as Error).message}`, peer: '–', met: false });
  } finally {
    clearTimeout(timer);
  }
}

function print({ work, unit, ours, peer, ratio, goal, met, note }: Result) {
  console.log(`  ${work}\n    ours  ${ours} ${unit}\n    peer  ${peer}`);
  if (ratio !== undefined) console.log(`    ratio ${ratio}×`);
  if (goal) console.log(`    goal  ${goal}: ${met === undefined ? 'cannot be told without the peer' : verdict(met)}`);
  if (note) console.log(`    note  ${note}`);
}

function summarise() {
  const lines = results.map(({ work, ours, peer, ratio, goal, met }) => [
    work,
    firstLine(ours),
    firstLine(peer),
    ratio === undefined ? '–' : `${ratio}×`,
    goal ?? '–',
    met === undefined ? '–' : verdict(met),
  ]);
  const table = [['work', 'ours', 'peer', 'ratio', 'goal', ''], ...lines];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  for (const line of table) console.log(line.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  const missed = results.filter(({ met }) => met === false).length;
  const skipped = results.filter(({ peer }) => peer.startsWith('skipped')).length;
  console.log(`\n${results.length} rows, ${missed} missed, ${skipped} without their peer. Written to bench/results.json.`);
}

function verdict(met: boolean) {
  return met ? 'met' : 'MISSED';
}

function firstLine(text: string) {
  return text.split('\n')[0]!.slice(0, 80);
}
