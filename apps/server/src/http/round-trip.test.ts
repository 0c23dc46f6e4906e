// Input fields are returned as they were sent: a field that is added only to the contract must not be lost silently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { contract, defaultDataProtection, type Route } from '@paddock/contract';
import * as z from 'zod';
import { zip } from '../../test/archives.ts';
import { startApi } from '../../test/server.ts';

type Fields = Record<string, unknown>;

const routes = Object.entries(contract).flatMap(([group, calls]) =>
  Object.entries(calls as Record<string, Route>).map(([name, route]) => ({ name: `${group}.${name}`, route })),
);
const isInPath = (route: Route, field: string) => route.path.split('/').includes(`:${field}`);
const shapeOf = (schema: Route['input']) => (schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {});
/** All field names in a response, including nested objects and lists. */
function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return namesIn((schema as z.ZodNullable).unwrap());
  return [];
}

/** Fields that no response contains, and why. */
const elsewhere: Record<string, string[]> = {
  'shown to nobody': ['password', 'current_password', 'new_password', 'url', 'redis_url', 'postgres_url'],
  'a proof, used up by the call': ['token', 'code', 'state', 'iss', 'second_factor', 'confirmation'],
  'decides what the call does': [
    'remember',
    'outcome',
    'redirect_uri',
    'sample',
    'root',
    'start',
    'packages',
    'keep',
    'into',
    'is_test',
    'expires_in_days',
    'minutes',
    'type',
    'from_seq',
    'confirmed_count',
  ],
  'the mail that is sent is tested with the call': ['email'],
  'looked at and forgotten': ['text', 'identifiers'],
  'goes to the agent': ['method', 'path', 'headers', 'body'],
};
const explained = new Set(Object.values(elsewhere).flat());

test('each field that a call takes is in its answer under the same name, or is known to go elsewhere', () => {
  const lost = routes
    .filter(({ route }) => route.method !== 'GET' && !route.download)
    .flatMap(({ name, route }) => {
      const answered = new Set(namesIn(route.output));
      return Object.keys(shapeOf(route.input))
        .filter((field) => !isInPath(route, field) && !answered.has(field) && !explained.has(field) && route.status !== 204)
        .map((field) => `${name} takes ${field}, and nobody sees it again`);
    });
  assert.deepEqual(lost, []);
});

/** Calls that store input and need more than a server, with the test that checks their responses. */
const triedElsewhere: Record<string, string> = {
  'accounts.signup': 'accounts.test.ts',
  'accounts.login': 'accounts.test.ts',
  'databases.create': 'byo.test.ts',
  'deployments.redeploy': 'promote.test.ts',
  'deployments.try': 'try.test.ts',
  'traces.setPrices': 'traces.test.ts',
  'modelProviders.set': 'model-providers.test.ts',
  'accessReviews.decide': 'access-reviews.test.ts',
  'billing.subscribe': 'billing.test.ts',
  'billing.switch': 'billing.test.ts',
  'billing.resume': 'billing.test.ts',
  'billing.setPaymentMethod': 'billing.test.ts',
  'billing.startPaymentMethod': 'billing.test.ts',
  'billing.confirmPayment': 'billing.test.ts',
};

/** A value for a field that is not listed here. */
function anyValue(schema: z.ZodType): unknown {
  const inner =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  const tries = ['A text of a round trip', 7, true, ['a'], 'https://example.com/'];
  return tries.find((value) => (inner as z.ZodType).safeParse(value).success);
}

/** All values of fields with this name in a response. */
function found(answer: unknown, field: string): unknown[] {
  if (Array.isArray(answer)) return answer.flatMap((one) => found(one, field));
  if (answer === null || typeof answer !== 'object') return [];
  return Object.entries(answer).flatMap(([name, value]) => (name === field ? [value] : found(value, field)));
}

test('what a call keeps comes back as it was sent, from the call itself and from where the thing is read', async (t) => {
  const { person, origin, features } = await startApi(t);
  const { api, token } = await person();
  const { id: project_id } = await api.projects.create({ name: 'round-trip' });
  const other = await api.projects.create({ name: 'round-trip-before' });
  const hook = { type: 'webhook', url: 'https://93.184.216.34/hook', events: ['alert.opened'] } as const;
  const { channel } = await api.channels.create({ ...hook, events: [...hook.events], name: 'before' });
  const file = new Blob([zip({ 'server.js': '1' })]);
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const preview = await api.dataSubjects.create({ kind: 'find', identifiers: ['ada@example.com'] });
  await features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(30_000));
  const policy = await api.policies.create({ name: 'before', rules: ['Be kind'] });
  /** Fixed fields of these calls. Their other fields are generated from the contract; null is not sent. */
  const calls: Record<string, Fields> = {
    'projects.create': { name: 'round-trip-made' },
    'projects.update': { id: other.id, name: 'round-trip-renamed' },
    'profile.update': { name: 'Ada of the Round Trip' },
    'deployments.create': {
      ...{ project_id, project_name: null, environment: 'preview', database_mode: 'none' },
      ...{ commit_sha: '9f3c1e7', commit_dirty: true },
    },
    'deployments.sample': { project_id: null, project_name: 'round-trip', environment: 'preview', sample: 'chat' },
    'variables.set': { project_id, environment: 'preview', variables: [{ key: 'TRIP', value: 'round' }] },
    'apiKeys.create': { name: 'round-trip', scopes: ['projects:read'] },
    'dataSubjects.create': { kind: 'find', identifiers: ['ada@example.com'] },
    'dataSubjects.erase': { id: preview.id, identifiers: ['ada@example.com'], password: 'correct horse battery' },
    'channels.create': { ...hook, name: 'round-trip' },
    'channels.update': { ...hook, id: channel.id, name: 'round-trip-after', events: ['deployment.failed'] },
    'governance.setDataProtection': { id: project_id, ...defaultDataProtection, bodies: 'sampled', sample_percent: 7 },
    'compliance.createWaiver': { control: 'KEY-02', owner: 'Ada', reason: 'Until the agent ends', expires_at: inAMonth },
    'policies.create': { name: 'round-trip', type: 'security', status: 'draft', rules: ['Be kind'] },
    'policies.update': { id: policy.id, name: 'round-trip-after', type: 'data_privacy', status: 'archived', rules: ['Be fast'] },
    'policies.dryRun': { rules: ['Be kind'] },
    'invoices.setDetails': {
      ...{ name: 'Round Trip Ltd', email: 'trip@example.com', address: ['1 Way', 'There'] },
      ...{ postal_code: '1', city: 'Back', country: 'DE', tax_id: 'DE1' },
    },
    'usage.setBudget': { kind: 'models', project_id, amount: 12.5 },
    'alertRules.update': { id: project_id, rule: 'error_rate', threshold: 0.25, is_on: false },
  };
  const ask = async (method: string, path: string, { body, upload }: { body?: Fields; upload?: Blob | undefined } = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
    if (upload) form.set('code', upload, 'a.zip');
    const headers = { authorization: `Bearer ${token}`, ...(body && !upload ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers,
      ...(body ? { body: upload ? form : JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as Fields;
    assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
    return { answer, location: response.headers.get('location') };
  };
  const lost: string[] = [];
  for (const { name, route } of routes) {
    const given = calls[name];
    if (!given) continue;
    const answered = new Set(namesIn(route.output));
    const body: Fields = {};
    for (const [field, schema] of Object.entries(shapeOf(route.input)))
      if (!isInPath(route, field) && given[field] !== null && (field in given || answered.has(field)))
        body[field] = given[field] ?? anyValue(schema);
    const path = route.path.replace(/:(\w+)/g, (_, field: string) => String(given[field] ?? body[field]));
    const { answer, location } = await ask(route.method, path, { body, upload: route.file ? file : undefined });
    const read = location ? (await ask('GET', location.replace(/^.*\/api\/v1/, ''))).answer : answer;
    for (const [field, sent] of Object.entries(body)) {
      if (!answered.has(field)) continue;
      for (const [from, seen] of Object.entries({ answer, read }))
        if (!isKept(sent, found(seen, field))) lost.push(`${name}: ${field} was sent as ${JSON.stringify(sent)} and is not in its ${from}`);
    }
  }
  assert.deepEqual(lost, []);
  const untried = routes.filter(({ name, route }) => {
    const answered = new Set(namesIn(route.output));
    const kept = Object.keys(shapeOf(route.input)).filter((field) => !isInPath(route, field) && answered.has(field));
    return route.method !== 'GET' && kept.length > 0 && !(name in calls) && !(name in triedElsewhere);
  });
  assert.deepEqual(
    untried.map(({ name }) => name),
    [],
    'say above what these calls cannot do without',
  );
});

/** Compares the entries of a list by the fields that were sent; values of variables are never returned. */
function isKept(sent: unknown, seen: unknown[]): boolean {
  if (!Array.isArray(sent)) return seen.some((one) => isDeepStrictEqual(one, sent));
  const keys = sent.map((one) => (typeof one === 'object' && one !== null && 'key' in one ? one.key : one));
  return keys.every((key) => JSON.stringify(seen).includes(JSON.stringify(key)));
}
