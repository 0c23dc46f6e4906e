import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ApiError, type Problem } from '@paddock/contract';
import { startApi } from '../apps/server/test/server.ts';
import { naughtyTexts, notInput, notJson } from './http/bodies.ts';
import { notHeld, type Row, tableText } from './http/table.ts';

const maxMs = 2_000;
/** Texts for fields where each try costs a password hash. */
const dearTexts = naughtyTexts.filter((text, n) => n % 4 === 0 || !text.isWellFormed() || text.includes('\0'));

async function signedIn(t: TestContext) {
  const api = await startApi(t);
  const ada = await api.person();
  const ask = async (path: string, init: RequestInit = {}) => {
    const began = performance.now();
    const answer = await fetch(`${api.origin}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    const ms = Math.round(performance.now() - began);
    const code = answer.ok || text === '' ? '' : (JSON.parse(text) as Problem).code;
    return { status: answer.status, code, ms, text };
  };
  return { ...api, ada, ask };
}

test('what is no JSON or no input is refused at once, pollutes nothing and creates nothing', async (t) => {
  const { ask, ada } = await signedIn(t);
  const rows: Row[] = [];
  for (const [list, codes] of [
    [notJson, ['json_invalid']],
    [notInput, ['input_invalid', 'json_invalid']],
  ] as const)
    for (const [attempt, body] of list) {
      const { status, code, ms } = await ask('/projects', { method: 'POST', body: body as NonNullable<RequestInit['body']> });
      const held = status >= 400 && status < 500 && (codes as readonly string[]).includes(code) && ms < maxMs;
      rows.push({ attempt, expected: codes.join(' or '), got: `${status} ${code} in ${ms} ms`, held });
    }
  console.log(tableText('Bodies (R37, R38)', rows));
  assert.deepEqual(notHeld(rows), []);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.deepEqual((await ada.api.projects.list()).projects, []);
});

test('a query or a path is never taken for more than one text', async (t) => {
  const { ask } = await signedIn(t);
  const rows: Row[] = [];
  for (const path of [
    '/projects?limit=1&limit=2',
    '/projects?limit[]=1',
    '/projects?limit[a]=1',
    '/projects?__proto__=1',
    '/projects?__proto__[polluted]=1',
    '/projects?constructor.prototype.polluted=1',
    '/projects?limit=1e400',
    '/projects?limit=-1',
    '/projects?limit=%00',
    '/projects?cursor=%00',
    '/projects?cursor=MjAyNi0xMS0yMFQwMDowMDowMFogcHJqXw',
    '/deployments?project_id=%00',
    '/deployments?project_id=a%00b',
    '/projects/%00',
    '/projects/a%00b',
    '/projects/%2e%2e',
    '/projects/..%2f..%2fauth%2fme',
    '/projects/%ff',
    '/projects/%',
    '/projects/%u0041',
    `/projects/${'a'.repeat(500)}`,
    '/deployments/%00/logs',
    '/deployments/dep_x/logs?search=%00',
    '/deployments/dep_x/logs?after=9007199254740993',
    '/deployments/dep_x/logs?after=1e30',
    '//projects',
    '/..;/projects',
    '/%2e%2e/v1/projects/x',
    '/projects%0d%0aSet-Cookie:a=1',
    '/projects/x%0d%0aSet-Cookie:a=1',
  ]) {
    const { status, code, text } = await ask(path);
    const held = status >= 400 && status < 500 && !/node_modules|select |22021|\/apps\//i.test(text);
    rows.push({ attempt: path.slice(0, 80), expected: '4xx', got: `${status} ${code}`, held });
  }
  console.log(tableText('Queries and paths of the API (E 72, R37)', rows));
  assert.deepEqual(notHeld(rows), []);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('every text field keeps a naughty text exactly, or refuses it', async (t) => {
  const { ada, anonymous, ask, sql } = await signedIn(t);
  const project = await ada.api.projects.create({ name: 'texts' });
  /** Each function returns the stored text. */
  const fields: Record<string, (text: string, n: number) => Promise<string>> = {
    'project name': async (name) => (await ada.api.projects.create({ name })).name,
    'project description': async (description) => (await ada.api.projects.update({ id: project.id, description })).description,
    'person name': async (name, n) =>
      (await anonymous.accounts.signup({ email: `n${n}@example.com`, password: 'correct horse', name })).user.name,
    'e-mail address': async (email) => (await anonymous.accounts.signup({ email, password: 'correct horse', name: 'A' })).user.email,
    'sign-in address': async (email) => (await anonymous.accounts.login({ email, password: 'correct horse' })).user.email,
    'variable key': async (key) =>
      (await ada.api.variables.set({ project_id: project.id, environment: 'production', variables: [{ key, value: 'v' }] })).variables.find(
        (one) => one.key === key,
      )?.key ?? 'lost',
    'variable value': async (value) => {
      await ada.api.variables.set({ project_id: project.id, environment: 'production', variables: [{ key: 'V', value }] });
      return value;
    },
    'variable to remove': async (key) => {
      await ada.api.variables.remove({ project_id: project.id, environment: 'production', key });
      return key;
    },
    'id of a project': async (id) => (await ada.api.projects.get({ id: id || 'x' })).id,
    'search in a list of logs': async (search) =>
      String((await ask(`/deployments/dep_x/logs?search=${encodeURIComponent(search.toWellFormed())}`)).status),
    'name of a sample': async (sample) => (await ada.api.deployments.sample({ project_id: project.id, sample })).source_name,
    'idempotency key': async (key) => (await ada.api.projects.create({ name: 'texts' }, { idempotency_key: key })).name,
  };
  const rows: Row[] = [];
  for (const [attempt, keep] of Object.entries(fields)) {
    let [kept, refused] = [0, 0];
    const wrong: string[] = [];
    // The sign-up limit per address is not under test.
    const texts = /person|address/.test(attempt) ? dearTexts : naughtyTexts;
    if (texts === dearTexts) await sql`delete from rate_limits`;
    for (const [n, text] of texts.entries()) {
      try {
        const got = await keep(text, n);
        // Names are trimmed and lowercased by their schema; a search has no text to return.
        if (got === '422') refused += 1;
        else if (got === text || got === text.trim() || got === text.trim().toLowerCase() || got === '404') kept += 1;
        else wrong.push(`${JSON.stringify(text).slice(0, 30)} came back as ${JSON.stringify(got).slice(0, 30)}`);
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) refused += 1;
        // The client itself refuses this text.
        else if (error instanceof URIError || /ByteString|fetch failed|invalid header/i.test(String(error))) refused += 1;
        else wrong.push(`${JSON.stringify(text).slice(0, 30)}: ${String(error).slice(0, 80)}`);
      }
    }
    rows.push({
      attempt: `${texts.length} texts as ${attempt}`,
      expected: 'kept exactly or 4xx',
      got: wrong.join('; ') || `${kept} kept, ${refused} refused`,
      held: wrong.length === 0,
    });
  }
  console.log(tableText('Naughty texts (R29)', rows));
  assert.deepEqual(notHeld(rows), []);
});
