import { contract } from '@paddock/contract';
import type { AnyRoute } from '@tanstack/react-router';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { consoleRouter } from '../app/router.tsx';
import { deploymentsSearch } from '../features/deployments/search.ts';
import { logParameters } from '../features/logs/search.ts';
import { idOf, readQuery, type Search, searchOf, writeQuery } from './search.ts';

const routes = Object.values(consoleRouter().routesById as Record<string, AnyRoute>).filter(
  ({ id, options }) => options.component !== undefined && id !== '__root__' && id !== '/shell',
);
const words = [
  ...[
    'project',
    'status',
    'environment',
    'action',
    'database',
    'logs',
    'open',
    'tab',
    'range',
    'deployment',
    'q',
    'search',
    'level',
    'line',
  ],
  ...['page', 'cursor', '__proto__', 'constructor', 'toString'],
];
const values = [
  '-1',
  'foo',
  'xyz',
  '',
  'garbage',
  'new',
  'deploy',
  'production',
  'error,foo,error',
  'dep_1',
  'prj_',
  'db_1',
  '30d',
  '1e5',
  'true',
  '\0',
];
const garbage = fc.dictionary(
  fc.oneof(fc.constantFrom(...words), fc.string()),
  fc.oneof(
    fc.constantFrom(...values),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.anything(),
  ),
);
const parserOf = (route: AnyRoute) => route.options.validateSearch as ((given: Search) => Search) | undefined;

test('every page has a parser for its address, or it would lose what it was given', () => {
  expect(routes.filter((route) => !parserOf(route)).map(({ id }) => id)).toEqual([]);
  expect(routes.length).toBeGreaterThan(15);
});

test('whatever stands in an address, a page gets what it can use, and the cleaned address says the same', () => {
  fc.assert(
    fc.property(garbage, (given) => {
      for (const route of routes) {
        const parse = parserOf(route);
        if (!parse || route.id.startsWith('/login') || route.id.startsWith('/auth')) continue;
        const search = parse(given);
        expect(parse(readQuery(writeQuery(search)))).toEqual(search);
      }
    }),
    { numRuns: 300 },
  );
});

test('the server takes every filter that a page reads from its address', () => {
  const isTaken = (schema: { safeParse: (given: unknown) => { success: boolean } }, given: object) => schema.safeParse(given).success;
  fc.assert(
    fc.property(garbage, (given) => {
      const { project, status, environment, logs } = deploymentsSearch(given);
      expect(isTaken(contract.deployments.list.input, { ...(project ? { project_id: project } : {}), status, environment })).toBe(true);
      const filter = searchOf(logParameters)(given);
      expect(isTaken(contract.logs.list.input, { id: logs ?? 'dep_1', ...filter })).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('only ids of the right kind count as ids', () => {
  const id = idOf('dep');
  expect(['dep_019aa000-0000-7000-a000-000000000000', 'dep_1'].map(id)).not.toContain(undefined);
  expect(['dep_', 'prj_1', '../dep_1', 'dep_1/logs', 'dep_ä', `dep_${'1'.repeat(64)}`, 1, null].map(id)).toEqual(Array(8).fill(undefined));
});
