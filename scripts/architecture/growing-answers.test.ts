// Responses that grow with a team's data: the calls that have them, and the bound of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract, type Route } from '@paddock/contract';
import * as z from 'zod';
import { growingAnswers } from './growing-answers.ts';
import { readSources } from './sources.ts';

test('each call whose answer has lists without a maximum takes a limit, or says what bounds it', () => {
  const growing = Object.values(contract as Record<string, Record<string, Route>>)
    .flatMap((calls) => Object.values(calls))
    .filter((route) => !takesLimit(route) && (route.download || route.stream || hasOpenList(jsonOf(route.output, 'output'))));
  assert.deepEqual(growing.map(({ method, path }) => `${method} ${path}`).toSorted(), Object.keys(growingAnswers).toSorted());
});

test('each bound that is named stands where it is said to stand', () => {
  const texts = new Map(readSources().map(({ path, text }) => [path, text]));
  const wrong = Object.entries(growingAnswers).flatMap(([call, growth]) => {
    if (typeof growth === 'string') return [];
    const stated = 'page' in growth ? growth.page : growth.bound;
    return texts.get(growth.file)?.includes(stated) ? [] : [`${call}: ${growth.file} has no "${stated}"`];
  });
  assert.deepEqual(wrong, []);
});

const jsonOf = (schema: z.core.$ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' });

const takesLimit = ({ input }: Route) => Object.hasOwn(jsonOf(input, 'input').properties ?? {}, 'limit');

function hasOpenList(schema: unknown): boolean {
  if (schema === null || typeof schema !== 'object') return false;
  const { type, maxItems } = schema as { type?: unknown; maxItems?: unknown };
  return (type === 'array' && maxItems === undefined) || Object.values(schema).some(hasOpenList);
}
