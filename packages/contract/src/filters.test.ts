import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { Contract } from './route.ts';
import { contract } from './routes.ts';

/** The meaning of each filter of a list or figure. Before adding a filter, check whether its meaning already has a name. */
const meanings: Record<string, string> = {
  date_from: 'the beginning of a time',
  date_to: 'the end of a time',
  time_range: 'a named range of figures',
  month: 'a calendar month',
  search: 'words in what is listed',
  project_id: 'the project',
  deployment_id: 'the deployment',
  environment: 'the environment',
  agent: 'the agent that a record is about',
  user: 'the person or key that did it',
  action_type: 'the kind of what was done',
  status: 'the status of what is listed',
  state: 'how far a decision is',
  resolved: 'whether an alert is over',
  level: 'the level of a log line',
  model: 'the model that was called',
  min_duration_ms: 'the shortest duration',
  trace_id: 'the trace',
  framework: 'the framework',
  after: 'what the caller has already; later follows',
  before: 'what the caller has already; earlier follows',
  limit: 'how many',
  cursor: 'where a page begins',
  format: 'the form of a file',
};
/** Parameters that are the subject of a request, not filters. */
const questions = ['redirect_uri', 'plan', 'with'];

const routes = Object.entries(contract as Contract).flatMap(([group, calls]) =>
  Object.entries(calls).map(([name, route]) => ({ name: `${group}.${name}`, route })),
);
const fieldsOf = (schema: z.core.$ZodType) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

test('a filter has one name in all lists', () => {
  const named = routes
    .filter(({ route }) => route.method === 'GET' || route.path.endsWith('/export'))
    .flatMap(({ name, route }) =>
      fieldsOf(route.input)
        .filter((field) => !route.path.split('/').includes(`:${field}`))
        .map((field) => ({ name, field })),
    );
  assert.deepEqual(
    named.filter(({ field }) => !(field in meanings) && !questions.includes(field)).map(({ name, field }) => `${name}: ${field}`),
    [],
  );
  assert.equal(new Set(Object.values(meanings)).size, Object.keys(meanings).length, 'two names have one meaning');
  for (const filter of Object.keys(meanings))
    assert.ok(
      named.some(({ field }) => field === filter),
      `${filter} is used nowhere`,
    );
});

test('a former name of a field stands for a field that there is, and for no other', () => {
  const former = routes.flatMap(({ name, route }) => Object.entries(route.renamed ?? {}).map((names) => ({ name, route, names })));
  assert.ok(former.length > 0);
  for (const { name, route, names } of former) {
    const [before, now] = names;
    assert.ok(fieldsOf(route.input).includes(now), `${name}: ${now}`);
    assert.ok(!fieldsOf(route.input).includes(before), `${name}: ${before}`);
  }
});
