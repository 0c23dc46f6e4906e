import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errors } from '@paddock/contract';
import { startApi } from '../../../test/server.ts';
import { guidePages } from './guide-pages.ts';

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

test('every guide of docs/ is a page with the same navigation, and no link of a page is dead', async (t) => {
  const { origin } = await startApi(t);
  const read = async (path: string) => {
    const answer = await fetch(origin + path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  const names = readdirSync(join(import.meta.dirname, '../../../../../docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (name === 'README.md' ? 'guides' : name.replace('.md', '')));
  const paths = [...names, 'errors', 'security', 'architecture', 'changes'].map((name) => `/docs/${name}`);
  const navigations = new Set<string>();
  for (const path of paths) {
    const page = await read(path);
    const navigation = /<nav[^]*<\/nav>/.exec(page)?.[0] ?? '';
    for (const other of ['/docs', ...paths]) assert.ok(navigation.includes(`href="${other}"`), `${path} leads to ${other}`);
    assert.ok(navigation.includes(`href="${path}" aria-current="page"`), path);
    navigations.add(navigation.replace(' aria-current="page"', ''));
    const hrefs = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
    assert.deepEqual(
      hrefs.filter((href) => !/^(?:\/$|\/favicon\.svg$|\/api\/v1\/openapi\.json$|\/docs(?:$|[/#])|#|https?:\/\/)/.test(href)),
      [],
      path,
    );
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, ids.length, path);
    for (const href of hrefs.filter((each) => each.startsWith('#'))) assert.ok(ids.includes(href.slice(1)), `${path}${href}`);
  }
  assert.equal(navigations.size, 1);
});

test('commands in a guide name the address of this server; defaults and files of the clone stay words', () => {
  const other = { path: '/docs/other', title: 'Other', file: 'OTHER.md' };
  const guide = { path: '/docs/some', title: 'Some', file: 'docs/some.md' };
  const pageOf = guidePages({ All: [other, guide] }, 'https://paddock.example.com');
  const page = pageOf(
    guide,
    [
      '## `paddock.yaml` and more',
      'Open <http://localhost:4000>. The default is `http://localhost:4000`. [Calls](http://localhost:4000/docs/reference/logs#list).',
      '[There](../OTHER.md#part), [here](some.md), [below](#more), [outside](https://example.com/a) and [in the clone](../examples).',
      '```sh\ncurl http://localhost:4000/docs\n```',
    ].join('\n\n'),
  );
  for (const part of [
    '<h2 id="paddockyaml-and-more"><code>paddock.yaml</code> and more</h2>',
    'Open <a href="https://paddock.example.com">https://paddock.example.com</a>. The default is <code>http://localhost:4000</code>. <a href="/docs/reference/logs#list">Calls</a>.',
    '<a href="/docs/other#part">There</a>, <a href="/docs/some">here</a>, <a href="#more">below</a>',
    '<a href="https://example.com/a">outside</a> and in the clone.',
    'curl https://paddock.example.com/docs',
  ])
    assert.ok(page.includes(part), `${part}\n${page}`);
});
