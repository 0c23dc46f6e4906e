import { beforeEach, expect, test } from 'vitest';
import { endSession, startSession } from '../../../api/session.ts';
import { indentJson } from '../../../ui/text/indent-json.ts';
import { answerBody, maxShown } from './answer-body.ts';
import { keepRequest, lastRequest } from './last-request.ts';
import { likelyPreset, presetOf, presets } from './presets.ts';
import { parseDraft } from './request-text.ts';
import { isSpoken, parseArguments, readResponseText, type Spoken, spokenWish } from './speak.ts';
import { traceLink } from './trace-link.ts';

const draft = { method: 'POST', path: '/chat', headers: '', body: 'hi' } as const;
const bytes = (text: string) => new TextEncoder().encode(text);
const typed = (type: string) => answerBody({ headers: type ? [{ name: 'Content-Type', value: type }] : [] });

beforeEach(() => endSession());

test('what a person writes becomes a request: headers by line, the path as an address needs it, no body where none is sent', () => {
  expect(parseDraft({ ...draft, path: 'a b/ü?q=ü#x', headers: 'Accept: text/plain\n\n  x-a :b: c ' })).toEqual({
    wish: {
      method: 'POST',
      path: '/a%20b/%C3%BC?q=%C3%BC%23x',
      headers: [
        { name: 'Accept', value: 'text/plain' },
        { name: 'x-a', value: 'b: c' },
      ],
      body: 'hi',
    },
  });
  expect(parseDraft({ ...draft, path: '\ud800' })).toMatchObject({ wish: { path: '/%EF%BF%BD' } });
  expect(parseDraft({ ...draft, method: 'GET' })).toMatchObject({ wish: { body: '' } });
  expect(parseDraft({ ...draft, headers: 'a: b\nnonsense' })).toEqual({ problem: 'Line 2 is not a header such as "accept: text/plain".' });
});

test('each preset is a request that can be sent, is known again, and is offered to the agents that speak it', () => {
  for (const [name, preset] of Object.entries(presets)) {
    expect(parseDraft(preset.draft)).toHaveProperty('wish');
    expect(presetOf({ ...preset.draft })).toBe(name);
  }
  expect(presetOf({ ...presets.chat.draft, body: '{}' })).toBeUndefined();
  expect([null, { framework: 'FastMCP' }, { framework: 'Bedrock AgentCore' }, {}].map(likelyPreset)).toEqual([
    'plain',
    'mcp',
    'invocations',
    'plain',
  ]);
});

test('a request is remembered for its deployment until the session ends, and only the last twenty are', () => {
  for (let n = 0; n < 21; n++) keepRequest(`dep_${n}`, { ...draft, body: String(n) });
  expect(lastRequest('dep_20')).toEqual({ ...draft, body: '20' });
  expect(lastRequest('dep_1')?.body).toBe('1');
  expect(lastRequest('dep_0')).toBeUndefined();
  startSession({ token: 'tok', user: { id: 'usr_1', email: 'a@example.org', name: 'Ada', plan: 'starter', email_verified: true } }, true);
  expect(lastRequest('dep_20')).toBeUndefined();
  keepRequest('dep_20', draft);
  endSession();
  expect(lastRequest('dep_20')).toBeUndefined();
});

test('JSON is indented without changing a letter of its values', () => {
  expect(indentJson('{"b":12345678901234567890,"a":[1.0,{}, [] ,"{,:\\""],"__proto__":null}')).toBe(
    '{\n  "b": 12345678901234567890,\n  "a": [\n    1.0,\n    {},\n    [],\n    "{,:\\""\n  ],\n  "__proto__": null\n}',
  );
  expect(indentJson('""')).toBe('""');
  expect(indentJson('{"a":')).toBeUndefined();
  expect(indentJson('['.repeat(50_000) + ']'.repeat(50_000))).toBeUndefined();
});

test('an answer is read as it comes, letters that are cut between two pieces too, and indented once it is whole', () => {
  const body = typed('application/json; charset=utf-8');
  const [first, second] = [bytes('{"a":"grüß').slice(0, 9), bytes('{"a":"grüß').slice(9)];
  body.add(first);
  expect(body.shown(false)).toMatchObject({ kind: 'text', text: '{"a":"gr' });
  body.add(second);
  body.add(bytes('"}'));
  expect(body.shown(false).text).toBe('{"a":"grüß"}');
  expect(body.shown(true)).toEqual({ kind: 'text', text: '{\n  "a": "grüß"\n}', bytes: 14, isCut: false });
});

test('an answer that is no text is told by its size, whatever it is called or whether it is called anything', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]);
  for (const type of ['image/png', '', 'application/octet-stream']) {
    const body = typed(type);
    body.add(png);
    expect(body.shown(true)).toEqual({ kind: 'binary', text: '', bytes: 6, isCut: false });
  }
  const packed = answerBody({ headers: [{ name: 'content-encoding', value: 'gzip' }] });
  packed.add(bytes('x'));
  expect(packed.shown(true).kind).toBe('binary');
  const untyped = typed('');
  untyped.add(bytes('plain'));
  expect(untyped.shown(true)).toMatchObject({ kind: 'text', text: 'plain' });
});

test('of a long answer the beginning is shown, and the file has all of it', async () => {
  const body = typed('text/html');
  for (let n = 0; n < 20; n++) body.add(bytes('x'.repeat(maxShown / 10)));
  expect(body.shown(true)).toMatchObject({ isCut: true, text: 'x'.repeat(maxShown) });
  expect(body.file().size).toBe(2 * 10 * Math.floor(maxShown / 10));
  expect(body.file().type).toBe('application/octet-stream');
});

test('an answer with the id of a trace leads to it, and any other text is no id', () => {
  const id = '0af7651916cd43dd8448eb211c80319c';
  const of = (value: string) => traceLink('dep_1', { headers: [{ name: 'X-Trace-Id', value }] });
  expect(of(id)).toEqual({ id, href: `/deployments/dep_1?tab=traces&trace=${id}` });
  expect([of('javascript:alert(1)'), of(''), traceLink('dep_1', { headers: [] })]).toEqual([undefined, undefined, undefined]);
});

const speaking = (kind: Spoken['kind'], version = ''): Spoken => ({
  ...{ kind, version, path: '/at', name: '', description: '', more: 0 },
  items: [{ name: 'one', description: '', method: 'POST', path: '/at', fields: null, example: '' }],
});
const asked = { text: 'Hi', args: { a: 1 }, turns: [] };
const sentBy = (protocol: Spoken) => JSON.parse(spokenWish(protocol, protocol.items[0], asked).body);

test('each protocol is asked in its own words, also the A2A of version 1', () => {
  const turns = [{ role: 'assistant', content: 'before' }] as const;
  expect(JSON.parse(spokenWish(speaking('openai'), undefined, { ...asked, turns }).body)).toEqual({
    model: 'default',
    messages: [...turns, { role: 'user', content: 'Hi' }],
    stream: true,
  });
  expect(sentBy(speaking('mcp'))).toMatchObject({ method: 'tools/call', params: { name: 'one', arguments: { a: 1 } } });
  expect(sentBy(speaking('a2a', '0.3.0'))).toMatchObject({
    method: 'message/send',
    params: { message: { role: 'user', kind: 'message', parts: [{ kind: 'text', text: 'Hi' }] } },
  });
  expect(sentBy(speaking('a2a', '1.0'))).toMatchObject({
    method: 'SendMessage',
    params: { message: { role: 'ROLE_USER', parts: [{ text: 'Hi' }] } },
  });
  expect(isSpoken({ ...speaking('a2a'), path: '' })).toBe(false);
});

test('the values of a form become arguments of their types; what is left empty is not sent, and what is wrong is named', () => {
  const field = (name: string, type: 'string' | 'integer' | 'boolean', required = false) => ({
    name,
    type,
    required,
    description: '',
    choices: [],
  });
  const fields = [field('text', 'string', true), field('count', 'integer'), field('loud', 'boolean', true)];
  const values: Record<string, string> = { count: '12', loud: 'true' };
  expect(parseArguments(fields, (name) => values[name] ?? '')).toEqual({ args: { text: '', count: 12, loud: true } });
  expect(parseArguments(fields, (name) => ({ ...values, count: 'many' })[name] ?? '')).toEqual({ problem: 'count is not a number.' });
  expect(parseArguments(fields, () => '')).toEqual({ problem: 'Choose loud.' });
});

test('what an answer says is read out of its JSON or its events, as far as they have come, and nothing harms the page', () => {
  const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  expect(readResponseText('openai', `${delta('Hel')}${delta('lo')}data: {"choi`)).toBe('Hello');
  expect(readResponseText('openai', '{"choices":[{"message":{"content":"Whole"}}]}')).toBe('Whole');
  expect(readResponseText('mcp', 'event: message\ndata: {"id":2,"result":{"content":[{"type":"text","text":"3 notes"}]}}\n\n')).toBe(
    '3 notes',
  );
  expect(readResponseText('mcp', '{"error":{"code":-32602,"message":"No such tool"}}')).toBe('Error: No such tool');
  expect(readResponseText('a2a', '{"result":{"parts":[{"kind":"text","text":"2 words"}]}}')).toBe('2 words');
  expect(readResponseText('a2a', '{"result":{"artifacts":[{"parts":[{"text":"a"}]},null]}}')).toBe('a');
  expect(readResponseText('a2a', '{"result":{"task":{"status":{"message":{"parts":[{"text":"done"}]}}}}}')).toBe('done');
  for (const kind of ['openai', 'mcp', 'a2a'] as const)
    for (const odd of [
      '',
      '<h1>',
      'null',
      '[null]',
      '{"choices":1,"result":{"parts":{},"artifacts":[1],"content":5}}',
      '{"result":1}',
      '[[[[',
    ])
      expect(() => readResponseText(kind, odd)).not.toThrow();
});
