import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Effect, effects, refusals, type Status, statuses, type Trigger, triggers } from './states.ts';
import { transitionFor } from './transitions.ts';

const allStatuses = Object.keys(statuses) as Status[];
const allHappenings = Object.keys(triggers) as Trigger[];
const golden = new URL('../states.md', import.meta.url);

test('states.md tells the answer to each happening in each status (UPDATE_GOLDEN=1 writes the file anew)', () => {
  const text = page();
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, text);
  assert.equal(readFileSync(golden, 'utf8'), text);
});

test('each status can be reached and left, and each act and refusal is used', () => {
  const pairs = allStatuses.flatMap((status) => allHappenings.map((happening) => ({ status, answer: transitionFor(status, happening) })));
  const ways = pairs.flatMap(({ status, answer }) =>
    'to' in answer && answer.to !== status && answer.to !== 'same' ? [{ status, to: answer.to }] : [],
  );
  assert.deepEqual(new Set(ways.map(({ to }) => to)), new Set(allStatuses));
  assert.deepEqual(new Set(ways.map(({ status }) => status)), new Set(allStatuses));
  const used = pairs.flatMap(({ answer }) => ('to' in answer ? answer.effects : []));
  assert.deepEqual(new Set(used), new Set(Object.keys(effects)));
  assert.deepEqual(new Set(pairs.flatMap(({ answer }) => ('refused' in answer ? [answer.refused] : []))), new Set(Object.keys(refusals)));
});

function page(): string {
  return `# States of a subscription

Written by \`states.test.ts\` from \`states.ts\` and \`transitions.ts\`. [README](README.md) says why.

## Statuses

${table(
  ['Status', 'Meaning'],
  allStatuses.map((status) => [code(status), statuses[status]]),
)}

## What happens

${table(
  ['Happening', 'Meaning'],
  allHappenings.map((happening) => [code(happening), triggers[happening]]),
)}

## Each happening in each status

A status: the one that follows. \`=\`: it stays, and something is done. ✗: refused, with the name of the reason. –: nothing is left to do.

${table(
  ['', ...allStatuses.map(code)],
  allHappenings.map((happening) => [code(happening), ...allStatuses.map((status) => cell(status, happening))]),
)}

## What is done

${table(
  ['Happening', 'Status', 'Follows', 'Done, in this order', 'Told'],
  allHappenings.flatMap((happening) => allStatuses.flatMap((status) => done(status, happening))),
)}

## Refusals

${table(
  ['Name', 'Reason, and what to do'],
  Object.entries(refusals).map(([name, reason]) => [code(name), reason]),
)}
`;
}

function cell(status: Status, happening: Trigger): string {
  const answer = transitionFor(status, happening);
  if ('refused' in answer) return `✗ ${answer.refused}`;
  if ('ignored' in answer) return '–';
  return answer.to === status || answer.to === 'same' ? '=' : answer.to;
}

function done(status: Status, happening: Trigger): string[][] {
  const answer = transitionFor(status, happening);
  if (!('to' in answer)) return [];
  const words = answer.effects.map((effect: Effect) => effects[effect]).join('; ') || 'nothing else';
  return [
    [code(happening), code(status), code(answer.to === 'same' ? status : answer.to), words, answer.notice ? code(answer.notice) : ''],
  ];
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

function code(name: string): string {
  return `\`${name}\``;
}
