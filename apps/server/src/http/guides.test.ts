import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '@paddock/contract';
import { startApi } from '../../test/server.ts';

test('every guide that a guide names is there, and every error has the place that problems point to', async (t) => {
  const { origin } = await startApi(t);
  const read = async (path: string) => {
    const answer = await fetch(origin + path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  const first = await read('/docs/cli');
  const named = new Set([...first.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, path]) => path!));
  assert.ok(named.size >= 8, [...named].join(' '));
  const guides = new Map<string, string>();
  for (const path of named) guides.set(path, await read(path));
  for (const [path, page] of guides)
    for (const [, to = ''] of page.matchAll(/href="(\/docs[^"]*)"/g)) {
      const [other = '', place] = to.split('#');
      const there = guides.get(other) ?? (await read(other));
      if (place) assert.ok(there.includes(`id="${place}"`), `${path} names ${to}`);
    }
  const page = guides.get('/docs/errors') ?? '';
  for (const [code, { status }] of Object.entries(errors))
    assert.ok(page.includes(`id="${code}">${code}</h3>\n<p>Status ${status}: `), code);
  const { type } = (await (await fetch(`${origin}/api/v1/auth/me`)).json()) as { type: string };
  assert.ok(page.includes(`id="${new URL(type, origin).hash.slice(1)}"`));
});
