import assert from 'node:assert/strict';
import { request, type ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Agent, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';
import { everywhere, protect } from '../../test/protection.ts';

const email = 'ada.lovelace@example.com';
const json = 'application/json';
/** A PNG of one pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

let fixture: Fixture;
let agent: Agent;
/** The agent's response; `fine` if undefined. */
let answer: { type?: string | undefined; encoding?: string | undefined; pieces: Buffer[] } | undefined;
let received: Buffer[] = [];
before(async () => {
  fixture = await startFixture({ limits: { scanMs: 9_000 } });
  agent = await startAgent((req, res) => {
    const body: Buffer[] = [];
    req.on('data', (piece: Buffer) => body.push(piece));
    req.on('end', () => {
      received.push(Buffer.concat(body));
      respond(res);
    });
  });
  await fixture.route('held', agent);
});
function respond(res: ServerResponse): void {
  if (answer === undefined) return void res.end('fine');
  if (answer.type !== undefined) res.setHeader('content-type', answer.type);
  if (answer.encoding !== undefined) res.setHeader('content-encoding', answer.encoding);
  const [only, ...more] = answer.pieces;
  if (more.length === 0) return void res.end(only);
  const write = ([piece, ...rest]: Buffer[]): void => {
    if (piece === undefined) return void res.end();
    res.write(piece);
    setImmediate(write, rest);
  };
  write(answer.pieces);
}

beforeEach(() => {
  received = [];
  answer = undefined;
});
after(async () => {
  await fixture.close();
  await agent.close();
});

interface Passed {
  status: number;
  /** The bytes that were received at the other side; undefined if there were none. */
  bytes: Buffer | undefined;
}

interface Sent {
  type?: string | undefined;
  encoding?: string | undefined;
}

async function requestPasses(body: Buffer, { type, encoding }: Sent): Promise<Passed> {
  received = [];
  answer = undefined;
  const headers = { ...(type && { 'content-type': type }), ...(encoding && { 'content-encoding': encoding }) };
  const { status } = await fixture.fetch('held', '/', { method: 'POST', body, headers });
  return { status, bytes: received[0] };
}

function answerPasses(pieces: Buffer[], { type, encoding }: Sent): Promise<Passed> {
  answer = { type, encoding, pieces };
  return new Promise((resolve) => {
    const req = request({ port: fixture.gateway.port, headers: { host: 'held.localhost' } }, (res) => {
      const body: Buffer[] = [];
      res.on('data', (piece: Buffer) => body.push(piece));
      res.on('error', () => resolve({ status: res.statusCode!, bytes: undefined }));
      res.on('end', () => resolve({ status: res.statusCode!, bytes: res.statusCode === 200 ? Buffer.concat(body) : undefined }));
    });
    req.on('error', () => resolve({ status: 0, bytes: undefined }));
    req.end();
  });
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf32 = (text: string) => Buffer.concat(Array.from(text, (one) => Buffer.from([one.charCodeAt(0), 0, 0, 0])));
const bytes = (text: string) => Buffer.from(text, 'latin1');
const said = (mail: string) => `{"mail":"${mail}"}`;

/** `readable`: masked like any text. `unreadable`: masked, and refused if the project requires it. */
const wires: [what: string, head: Sent, wire: (mail: string) => Buffer, outcome: 'readable' | 'unreadable' | 'readable answer'][] = [
  ['a control in JSON', { type: json }, (mail) => bytes(`{"x":"\x01","mail":"${mail}"}`), 'readable'],
  ['a control in a value', { type: json }, (mail) => bytes(said(mail.replace('@', '@\x02'))), 'readable'],
  ['a NUL in JSON', { type: json }, (mail) => bytes(`{"x":"\0","mail":"${mail}"}`), 'unreadable'],
  ['a byte that is no UTF-8', { type: json }, (mail) => bytes(`{"x":"\xff","mail":"${mail}"}`), 'unreadable'],
  ['a byte that is no UTF-8 in a value', { type: json }, (mail) => bytes(said(mail.replace('@', '@\xff'))), 'unreadable'],
  ['UTF-16 without a charset', { type: json }, (mail) => utf16(said(mail)), 'readable'],
  ['UTF-16 with a mark', { type: json }, (mail) => utf16(`\ufeff${said(mail)}`), 'readable'],
  ['UTF-16 the other way round', { type: json }, (mail) => utf16(`\ufeff${said(mail)}`).swap16(), 'readable'],
  ['UTF-16 that its head names', { type: `${json}; charset=utf-16le` }, (mail) => utf16(said(mail)), 'readable'],
  ['UTF-32 without a charset', { type: json }, (mail) => utf32(said(mail)), 'readable'],
  ['UTF-16 by its head alone', { type: `${json}; charset=utf-16` }, (mail) => bytes(`${said(mail)} `.slice(0, 36)), 'readable'],
  ['an unknown charset', { type: `${json}; charset=koi8-r` }, (mail) => bytes(said(mail)), 'unreadable'],
  ['Latin-1 that is UTF-8', { type: `${json}; charset=iso-8859-1` }, (mail) => Buffer.from(said(`é ${mail}`)), 'readable'],
  ['JSON as an image', { type: 'image/png' }, (mail) => bytes(said(mail)), 'readable'],
  ['JSON as bytes', { type: 'application/octet-stream' }, (mail) => bytes(said(mail)), 'readable'],
  ['JSON as a film with a NUL', { type: 'video/mp4' }, (mail) => bytes(`\0${said(mail)}`), 'unreadable'],
  ['JSON without a type', {}, (mail) => bytes(said(mail)), 'readable'],
  ['an image that is said to be text', { type: 'text/plain' }, (mail) => Buffer.concat([png, bytes(` ${mail} `)]), 'unreadable'],
  ['an encoding that it does not have', { type: json, encoding: 'x-none' }, (mail) => bytes(said(mail)), 'unreadable'],
  ['an encoded control', { type: json, encoding: 'gzip' }, (mail) => gzipSync(`{"x":"\x01","mail":"${mail}"}`), 'readable'],
  [
    'a form with a byte that is none',
    { type: 'application/x-www-form-urlencoded' },
    (mail) => bytes(`mail=${encodeURIComponent(mail)}%FF&a=1`),
    'readable',
  ],
  [
    'lines of JSON',
    { type: json },
    (mail) => bytes(`{"message":{"content":"${mail.slice(0, 9)}"}}\n{"message":{"content":"${mail.slice(9)}"}}\n`),
    'readable',
  ],
];

for (const way of ['requests', 'answers'] as const) {
  const pass = (body: Buffer, head: Sent) => (way === 'requests' ? requestPasses(body, head) : answerPasses([body], head));

  test(`nothing that a sender says or leaves out hides a value in ${way}: masked, blocked, refused or passed`, async () => {
    for (const on_overrun of ['refuse', 'pass'] as const) {
      await protect(fixture, 'held', { on_overrun, rules: { Email: everywhere('mask') } });
      for (const [what, head, wire, outcome] of wires) {
        const { status, bytes: passed } = await pass(wire(email), head);
        const said = `${what}, ${on_overrun}: ${status} ${passed?.toString('latin1')}`;
        const decides = outcome === 'unreadable' && !(way === 'answers' && what.includes('film'));
        assert.equal(status, decides && on_overrun === 'refuse' ? 403 : 200, said);
        if (passed === undefined) continue;
        const shown = passed.toString('latin1').replaceAll('\0', '');
        assert.match(shown, /\[EMAIL\]|%5BEMAIL%5D/, said);
        assert.doesNotMatch(shown, /lovelace|example/, said);
      }
    }
  });

  test(`a blocked type in ${way} is refused, however its bytes are disguised, and bytes without it stay as they are`, async () => {
    await protect(fixture, 'held', { on_overrun: 'pass', rules: { Email: everywhere('block') } });
    for (const [what, head, wire] of wires) {
      const { bytes: passed } = await pass(wire(email), head);
      assert.equal(passed, undefined, what);
      const harmless = wire('nobody at home here ok!!');
      const { bytes: through } = await pass(harmless, head);
      const plain = head.encoding === 'gzip' ? undefined : harmless;
      if (plain) assert.deepEqual(through, plain, what);
    }
  });

  test(`files of known formats pass in ${way} as they are, at any size; a blocked type in their readable parts does not`, async () => {
    const large = Buffer.concat([png, Buffer.alloc(600_000, 0x9c)]);
    await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
    for (const file of [png, large, Buffer.concat([png, bytes(`\0Author\0${email}\0`)])]) {
      const { status, bytes: passed } = await pass(file, { type: 'image/png' });
      assert.equal(status, 200);
      assert.ok(passed?.equals(file));
    }
    await protect(fixture, 'held', { rules: { Email: everywhere('block') } });
    assert.equal((await pass(Buffer.concat([png, bytes(`\0Author\0${email}\0`)]), { type: 'image/png' })).status, 403);
    assert.equal((await pass(png, { type: 'image/png' })).status, 200);
  });
}

test('bytes of another kind pass with masks as long as their values, and are refused in requests where the project wants that', async () => {
  const message = Buffer.concat([Buffer.from([8, 1, 18, email.length]), bytes(email), Buffer.from([0x18, 0xff, 0])]);
  const type = 'application/x-protobuf';
  await protect(fixture, 'held', { on_overrun: 'pass', rules: { Email: everywhere('mask') } });
  const masked = Buffer.concat([
    Buffer.from([8, 1, 18, email.length]),
    bytes('[EMAIL]'.padEnd(email.length)),
    Buffer.from([0x18, 0xff, 0]),
  ]);
  assert.deepEqual((await requestPasses(message, { type })).bytes, masked);
  assert.deepEqual((await answerPasses([message], { type })).bytes, masked);
  await protect(fixture, 'held', { on_overrun: 'refuse', rules: { Email: everywhere('mask') } });
  assert.equal((await requestPasses(message, { type })).status, 403);
  assert.deepEqual((await answerPasses([message], { type })).bytes, masked);
});

const fields = (mail: string, file: Buffer) =>
  Buffer.concat([
    bytes(`--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nwrite to ${mail}\r\n`),
    bytes(`--b\r\nContent-Disposition: form-data; name="ssn"\r\n\r\n536904399\r\n`),
    bytes('--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
    file,
    bytes('\r\n--b--\r\n'),
  ]);
const form = 'multipart/form-data; boundary=b';

test('text fields of forms with files are masked, and files in them stay as they are, at any size', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask'), SSN: everywhere('mask') } });
  for (const file of [png, Buffer.concat([png, Buffer.alloc(700_000, 0x9c)])]) {
    const { bytes: passed } = await requestPasses(fields(email, file), { type: form });
    const shown = passed?.toString('latin1') ?? '';
    assert.ok(
      shown.startsWith('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nwrite to [EMAIL]\r\n--b\r\n'),
      shown.slice(0, 300),
    );
    assert.ok(shown.includes('name="ssn"\r\n\r\n[SSN]\r\n--b\r\n'), shown.slice(0, 300));
    assert.ok(passed?.subarray(-file.length - 9).equals(Buffer.concat([file, bytes('\r\n--b--\r\n')])));
  }
  await protect(fixture, 'held', { rules: { Email: everywhere('block') } });
  assert.equal((await requestPasses(fields(email, png), { type: form })).status, 403);
  assert.equal((await requestPasses(fields('nobody', png), { type: form })).status, 200);
  assert.equal((await requestPasses(fields('nobody', Buffer.from([0, 1, 2, 255, 3])), { type: form })).status, 403, 'unreadable');
});

const cut = (text: string, at: number) => [bytes(text.slice(0, at)), bytes(text.slice(at))];
const halves = [email.slice(0, 8), email.slice(8, 15), email.slice(15)];
const streams: [what: string, type: string, text: string, expected: string][] = [
  [
    'Ollama',
    'application/x-ndjson',
    halves.map((content) => `{"message":{"role":"assistant","content":"${content}"},"done":false}\n`).join(''),
    '[EMAIL]',
  ],
  ['generated text', 'application/x-ndjson', halves.map((response) => `{"response":"${response}","done":false}\n`).join(''), '[EMAIL]'],
  ['the data stream of the AI SDK', 'text/plain; charset=utf-8', halves.map((text) => `0:"${text}"\n`).join(''), '[EMAIL]'],
  [
    'events with CR',
    'text/event-stream',
    halves.map((content) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\r\r`).join(''),
    '[EMAIL]',
  ],
  ['events with CR and LF', 'text/event-stream', halves.map((text) => `data: ${text}\r\n\r\n`).join(''), '[EMAIL]'],
  ['other fields', 'text/event-stream', halves.map((text) => `token: ${text}\n\n`).join(''), '[EMAIL]'],
  ['lines that are no events', 'text/event-stream', `${email}\n: ${email}\nid: ${email}\n`, '[EMAIL]'],
  ['events as plain text', 'text/plain', halves.map((text) => `data: ${text}\n\n`).join(''), '[EMAIL]'],
  ['events as bytes', 'application/octet-stream', halves.map((text) => `data: ${text}\n\n`).join(''), '[EMAIL]'],
];

test('a value in parts over lines of any known form is masked, wherever the stream is cut', async () => {
  await protect(fixture, 'held', { rules: { Email: everywhere('mask') } });
  for (const [what, type, text, expected] of streams) {
    let whole: string | undefined;
    for (let at = 1; at < text.length; at++) {
      const { status, bytes: passed } = await answerPasses(cut(text, at), { type });
      const shown = passed?.toString('latin1') ?? '';
      assert.equal(status, 200, `${what} ${at}`);
      assert.ok(shown.includes(expected), `${what} ${at}: ${shown}`);
      assert.doesNotMatch(shown, /ada|lovelace|exam|ple\.com/, `${what} ${at}`);
      assert.equal(shown, (whole ??= shown), `${what} ${at}`);
    }
    assert.equal(whole!.split(/[\r\n]/).length, text.split(/[\r\n]/).length, 'no line is lost');
  }
});

test('a stream in which a byte is no text is masked byte by byte, or refused', async () => {
  for (const [what, type, text] of streams) {
    const odd = bytes(text.replace(halves[1]!, `${halves[1]}\xff`));
    await protect(fixture, 'held', { on_overrun: 'pass', rules: { Email: everywhere('mask') } });
    const { bytes: passed } = await answerPasses([odd.subarray(0, 20), odd.subarray(20)], { type });
    assert.doesNotMatch(passed?.toString('latin1') ?? '', /lovelace|exam/, what);
    await protect(fixture, 'held', { on_overrun: 'refuse', rules: { Email: everywhere('mask') } });
    const { bytes: refused } = await answerPasses([odd.subarray(0, 20), odd.subarray(20)], { type });
    assert.equal(refused === undefined, type !== 'application/octet-stream', what);
  }
});
