import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contract, contract, errors } from '@paddock/contract';
import * as z from 'zod';
import { startApi } from '../../../../test/server.ts';
import { createFrame } from '../frame.ts';
import { openApi } from '../openapi.ts';
import { templateOf } from '../operation.ts';
import { groups, pathOf } from './groups.ts';
import { namedSchemas, schemasPath } from './named-schemas.ts';
import { referencePages } from './reference-pages.ts';

const publicUrl = 'https://paddock.example.com';
const document = openApi(contract, 'test');
const pages = referencePages({ document, contract, publicUrl, frame: createFrame({}) });
const { shown } = namedSchemas(document);
const calls = (Object.entries(contract as Contract) as [keyof typeof contract, Contract[string]][]).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ group, name, route, path: templateOf(route.path) })),
);

/** The section of a page about one call. */
function sectionOf(group: keyof typeof contract, name: string): string {
  const section = pages
    .get(pathOf(group))!
    .split('<section ')
    .find((each) => each.startsWith(`aria-labelledby="${name}"`));
  assert.ok(section, `${group}.${name}`);
  return section;
}

const textOf = (html: string) => html.replace(/<[^<>]*>/g, '').replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));

test('each call of the contract has its place, with method, path, access, fields, answer and errors, and the overview leads to it', () => {
  const overview = pages.get('/docs')!;
  for (const { group, name, route, path } of calls) {
    const section = sectionOf(group, name);
    const told = textOf(section);
    const place = `${group}.${name}`;
    assert.ok(overview.includes(`href="${pathOf(group)}#${name}"`), place);
    assert.ok(told.includes(`${route.method} ${path}`), place);
    assert.ok(told.includes(route.summary.replaceAll('`', '')), place);
    const operation = shown(document.paths[path]![route.method.toLowerCase()]!);
    assert.ok(told.includes(operation.description.replaceAll('`', '')), place);
    const sent = [...(operation.parameters ?? []).map((each) => each.name)];
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) sent.push(...Object.keys(schema.properties ?? {}));
    for (const field of sent) assert.ok(section.includes(`<dt><code>${field}</code></dt>`), `${place} tells ${field}`);
    for (const type of route.download?.types ?? []) assert.ok(told.includes(type), `${place} answers with ${type}`);
    const output = z.toJSONSchema(route.download ? z.string() : route.output, { io: 'output' });
    const answers = section.slice(section.indexOf('<h3>Answer</h3>'));
    for (const field of Object.keys(output.properties ?? {}))
      assert.ok(
        answers.includes(`<dt><code>${field}</code></dt>`) || answers.includes(`href="${schemasPath}#`),
        `${place} answers with ${field}`,
      );
    assert.ok(told.includes(`${route.status ?? 200} `), place);
    if (route.access !== 'public') assert.ok(section.includes('href="/docs/errors#not_signed_in"'), place);
  }
});

test('no page has a script, a form, a picture or a style of its own', () => {
  assert.equal(pages.size, Object.keys(groups).length + 2);
  for (const [path, page] of pages)
    assert.doesNotMatch(page, /<script|<form|<style|<iframe|<img| style=| on\w+=|javascript:|undefined|\[object/, path);
});

test('a page has one heading of the first level, and each place has a name of its own', () => {
  for (const [path, page] of pages) {
    assert.equal(page.match(/<h1/g)?.length, 1, path);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assert.equal(new Set(ids).size, ids.length, path);
    for (const [, id = ''] of page.matchAll(/ aria-labelledby="([^"]*)"/g)) assert.ok(ids.includes(id), `${path} ${id}`);
  }
});

test('the server serves each page under a policy that allows no script, and each of their links leads to a page and a place that is there', async (t) => {
  const { origin } = await startApi(t);
  const known = new Map<string, string>();
  const read = async (path: string) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const answer = await fetch(origin + path);
    assert.equal(answer.status, 200, path);
    const text = await answer.text();
    known.set(path, text);
    return text;
  };
  for (const path of pages.keys()) {
    const { headers } = await fetch(origin + path);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      path,
    );
    const page = await read(path);
    assert.match(page, /<header>.*<a href="\/">Open the console<\/a><\/header>/);
    assert.match(page, /<a href="\/docs" aria-current="(page|true)">API reference<\/a>/);
    for (const [, href = ''] of page.matchAll(/href="([^"]*)"/g)) {
      if (href === '/' || href === '/favicon.svg') continue; // the console's, which is not built here
      const [to = '', place] = href.split('#');
      const target = await read(to === '' ? path : to);
      if (place !== undefined) assert.ok(target.includes(`id="${place}"`), `${path} leads to ${href}`);
    }
  }
});

test('each object that the contract names has a place among the schemas, and calls that answer with it lead there', () => {
  const page = pages.get(schemasPath)!;
  for (const name of ['Deployment', 'Database', 'Project', 'ApiKey', 'System', 'Problem'])
    assert.ok(page.includes(`<h2 id="${name}">`), name);
  assert.match(sectionOf('deployments', 'create'), /href="\/docs\/reference\/schemas#Deployment"/);
  assert.match(
    sectionOf('deployments', 'list'),
    /<code>deployments<\/code><\/dt><dd><p class="type">array of <a href="\/docs\/reference\/schemas#Deployment">/,
  );
});

test('types, bounds, defaults and descriptions stand beside each field', () => {
  const list = textOf(sectionOf('deployments', 'list').replaceAll('<', ' <')).replace(/\s+/g, ' ');
  assert.match(list, /limit integer, optional 1 to 500\. Default 50 \./);
  assert.match(list, /environment string, optional One of production , preview \./);
  const key = textOf(sectionOf('apiKeys', 'create').replaceAll('<', ' <')).replace(/\s+/g, ' ');
  assert.match(key, /expires_in_days integer, optional Without it the key does not expire\. 1 to 3650\./);
  assert.match(key, /scopes array of string, optional 1 to 14 items\. One of agents:read ,/);
  assert.match(key, /name string, required 1 to 100 characters\. Matches /);
});

test('every error that a call names is one of the table', () => {
  for (const { group, name } of calls)
    for (const [, code = ''] of sectionOf(group, name).matchAll(/href="\/docs\/errors#([^"]*)"/g)) assert.ok(code in errors, code);
});

test('each example is a command for this server with a body that the call takes', () => {
  for (const { group, name, route, path } of calls) {
    const command = textOf(/<pre><code>([^]*?)<\/code><\/pre>/.exec(sectionOf(group, name))?.[1] ?? '');
    const place = `${group}.${name}: ${command}`;
    const [, method, quotedUrl = ''] = /^curl(?: -X ([A-Z]+))? (\S+)/.exec(command) ?? [];
    const sendsBody = command.includes(' -d ') || command.includes(' -F ');
    assert.equal(method ?? (sendsBody ? 'POST' : 'GET'), route.method, place);
    const url = new URL(quotedUrl.replaceAll("'", ''));
    assert.equal(url.origin, publicUrl, place);
    const shape = new RegExp(`^/api/v1${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const inPath = shape.exec(url.pathname)?.groups;
    assert.ok(shape.test(url.pathname), place);
    assert.equal(command.includes('"authorization: Bearer $TOKEN"'), route.access !== 'public', place);
    const body = /-d '([^']*)'/.exec(command)?.[1] ?? '{}';
    const form = Object.fromEntries([...command.matchAll(/-F (\w+)=(\S+)/g)].map(([, field, value]) => [field!, value!]));
    if (route.file) assert.match(form[route.file] ?? '', /^@/, place);
    const { [route.file ?? '']: _, ...fields } = form;
    const input = { ...(JSON.parse(body) as object), ...fields, ...Object.fromEntries(url.searchParams), ...inPath };
    assert.deepEqual(z.safeParse(route.input, input).error?.issues ?? [], [], place);
  }
});
