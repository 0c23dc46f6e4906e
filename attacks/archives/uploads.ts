import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../apps/server/test/platform.ts';
import { writeZip } from '../../packages/builder/test/write-zip.ts';
import type { Row } from '../row.ts';
import type { Target } from './try-archive.ts';
import { names, unfinished } from './watch.ts';

interface Attempt {
  item: number;
  attempt: string;
  head?: string;
  body: Buffer;
  /** Number of bytes to send before the connection is cut. By default all are sent and the response is awaited. */
  cutAt?: number;
  /** The expected status line. */
  status?: RegExp;
  expected: string;
  waitMs?: number;
  /** Number of deployments that the attempt may have created. */
  rows?: number;
}

const boundary = 'hostile';
const part = (disposition: string, content: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const last = Buffer.from(`--${boundary}--\r\n`);
const typed = `Content-Type: multipart/form-data; boundary=${boundary}\r\n`;

/** Uploads that break off, lie about their length or malform the form. Each leaves no row and no file unless it was complete. */
export async function tryUploads(
  { paddock, api, project_id }: Target,
  token: string,
  { long, seed }: { long: boolean; seed: number },
): Promise<Row[]> {
  const zip = writeZip([
    { name: 'start.sh', data: 'echo started\n' },
    { name: 'data', data: Buffer.alloc(300_000, 'abcdefg'), method: 0 },
  ]);
  const project = part('name="project_id"', project_id);
  const file = part('name="code"; filename="agent.zip"', zip);
  const whole = Buffer.concat([project, file, last]);
  const sized = (bytes: number) => `${typed}Content-Length: ${bytes}\r\n`;
  const random = seeded(seed);
  const full = { head: sized(whole.length), body: whole };
  const refused = (status: RegExp) => ({ status, expected: `${String(status).replaceAll(/[/^\\]/g, '')}, nothing kept` });
  const form = (body: Buffer) => ({ head: sized(body.length), body });
  const attempts: Attempt[] = [
    ...Array.from({ length: long ? 10 : 4 }, (): Attempt => {
      const cutAt = Math.floor(random() * (whole.length - 1));
      return { item: 13, attempt: `cut after ${cutAt} of ${whole.length} bytes`, ...full, cutAt, expected: 'nothing kept' };
    }),
    { item: 13, attempt: 'cut one byte before its end', ...full, cutAt: whole.length - 1, expected: 'nothing kept' },
    { item: 13, attempt: 'a Content-Length of 300 MB', head: sized(300 * 1024 * 1024), body: Buffer.alloc(0), ...refused(/^413/) },
    { item: 13, attempt: 'a Content-Length that is too small', head: sized(5000), body: whole, ...refused(/^400/) },
    {
      item: 13,
      attempt: 'a Content-Length that is too large, then cut',
      head: sized(whole.length + 100),
      body: whole,
      cutAt: whole.length,
      expected: 'nothing kept',
    },
    { item: 13, attempt: 'two Content-Lengths', head: `${sized(whole.length)}Content-Length: 5\r\n`, body: whole, ...refused(/^400/) },
    { item: 13, attempt: 'a negative Content-Length', head: sized(-1), body: whole, ...refused(/^400/) },
    {
      item: 14,
      attempt: '10,000 parts',
      ...form(Buffer.concat([...Array.from({ length: 10_000 }, (_, n) => part(`name="f${n}"`, 'x')), last])),
      ...refused(/^4(00|13)/),
    },
    {
      item: 14,
      attempt: 'a field name of 1 MB',
      ...form(Buffer.concat([part(`name="${'n'.repeat(1024 * 1024)}"`, 'x'), file, last])),
      ...refused(/^4(00|22)/),
    },
    {
      item: 14,
      attempt: 'a field value of 1 MB',
      ...form(Buffer.concat([project, part('name="root"', Buffer.alloc(1024 * 1024, 'v')), file, last])),
      ...refused(/^4(00|13)/),
    },
    {
      item: 14,
      attempt: '1,000 headers in a part',
      ...form(
        Buffer.concat([
          Buffer.from(
            `--${boundary}\r\n${'X-A: b\r\n'.repeat(1000)}Content-Disposition: form-data; name="code"; filename="a"\r\n\r\nPK\r\n`,
          ),
          last,
        ]),
      ),
      ...refused(/^4(00|13|22)/),
    },
    {
      item: 14,
      attempt: 'no boundary in the header',
      head: `Content-Type: multipart/form-data\r\nContent-Length: ${whole.length}\r\n`,
      body: whole,
      ...refused(/^4(00|15)/),
    },
    {
      item: 14,
      attempt: 'another boundary in the body',
      head: `Content-Type: multipart/form-data; boundary=other\r\nContent-Length: ${whole.length}\r\n`,
      body: whole,
      ...refused(/^400/),
    },
    { item: 14, attempt: 'no end of the form', ...form(Buffer.concat([project, file])), ...refused(/^400/) },
    { item: 14, attempt: 'two files', ...form(Buffer.concat([project, file, file, last])), ...refused(/^4(00|13)/) },
    {
      item: 14,
      attempt: 'fields named __proto__ and constructor',
      ...form(Buffer.concat([project, part('name="__proto__"', 'x'), part('name="constructor"', 'x'), file, last])),
      ...refused(/^4(00|22)/),
    },
    { item: 14, attempt: 'the file as a field', ...form(Buffer.concat([project, part('name="code"', 'PK'), last])), ...refused(/^422/) },
    {
      item: 14,
      attempt: 'filename="a"; x="',
      ...form(Buffer.concat([project, part('name="code"; filename="a"; x="', zip), last])),
      status: /^(201|400|422)/,
      expected: '400, or harmless',
      rows: 1,
    },
    {
      item: 14,
      attempt: 'filename="../../../etc/passwd"',
      ...form(Buffer.concat([project, part('name="code"; filename="../../../etc/passwd"', zip), last])),
      status: /^201/,
      expected: 'a name without a path',
      rows: 1,
    },
    ...(long
      ? [
          {
            item: 13,
            attempt: 'silent after half of it',
            ...full,
            body: whole.subarray(0, whole.length / 2),
            status: /^(400|408|closed)/,
            expected: 'given up after 60 s',
            waitMs: 75_000,
          },
        ]
      : []),
  ];
  const rows: Row[] = [];
  const port = Number(new URL(paddock.origin).port);
  for (const one of attempts) {
    const blobs = () => names(join(paddock.dataDir, 'blobs')).length;
    const [before, kept] = [(await api.deployments.list({ project_id })).total, blobs()];
    const begun = performance.now();
    const got = await send(port, token, one);
    const ms = performance.now() - begun;
    const problems: string[] = [];
    await until('unfinished uploads are gone', async () => unfinished(paddock.dataDir).length === 0, 5).catch((error: Error) =>
      problems.push(error.message),
    );
    const made = (await api.deployments.list({ project_id })).total - before;
    await until('no file without a row', async () => blobs() - kept <= made, 5).catch((error: Error) => problems.push(error.message));
    if (made > (one.rows ?? 0)) problems.push(`${made} deployments made`);
    if (one.status && !one.status.test(got)) problems.push('another answer');
    rows.push({
      item: `A${one.item}`,
      attempt: one.attempt,
      expected: one.expected,
      got: [...problems.map((text) => `WRONG ${text};`), got].join(' '),
      measured: `${ms.toFixed(0)} ms`,
      ok: problems.length === 0,
    });
  }
  const open = await until('they are closed', async () => abandoned(port) === 0, 10).then(
    () => 0,
    () => abandoned(port),
  );
  rows.push({
    item: 'A13',
    attempt: 'connections that the server keeps for senders who are gone',
    expected: '0',
    got: `${open}`,
    ok: open === 0,
  });
  const [newest] = (await api.deployments.list({ project_id, limit: 1 })).deployments;
  if (newest && /[/\\"]|\.\.\//.test(newest.source_name))
    rows.push({ item: 'A14', attempt: 'name of the file shown', expected: 'no path', got: `WRONG ${newest.source_name}`, ok: false });
  return rows;
}

/** The response's status line with the problem's code, `cut` if we cut the connection, `closed` if the server did so without a response. */
function send(port: number, token: string, { head = '', body, cutAt, waitMs = 8000 }: Attempt): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  const finish = (text: string) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(text);
  };
  const timer = setTimeout(() => finish('no answer'), waitMs);
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    const [line, code] = [/^HTTP\/1\.1 (\d+[^\r]*)/.exec(answer)?.[1], /"code":"(\w+)"/.exec(answer)?.[1]];
    if (line && (code ?? answer.includes('\r\n\r\n'))) finish(code ? `${line} (${code})` : line);
  });
  socket.on('error', () => finish(answer ? answer.slice(9, 40) : 'closed'));
  socket.on('close', () => finish('closed'));
  socket.write(`POST /api/v1/deployments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${head}\r\n`);
  socket.write(cutAt === undefined ? body : body.subarray(0, cutAt), () => {
    if (cutAt !== undefined) void sleep(30).then(() => finish('cut'));
  });
  return promise;
}

/** Connections to that port whose peer has closed and which the server has not closed (CLOSE_WAIT). */
function abandoned(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(local) && fields[3] === '08').length;
}

/** A random number generator with a seed. */
function seeded(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
