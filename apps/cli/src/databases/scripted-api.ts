import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { openContext } from '../context.ts';
import { messageOf, toExitCode } from '../failures.ts';
import { buildProgram } from '../program.ts';
import { openTerminal } from '../terminal.ts';

const missing = { type: 'about:blank', title: 'Not found', status: 404, detail: 'There is no such database.', code: 'database_not_found' };

export type Script = Record<string, (input: Record<string, unknown>) => unknown>;

/** A server that answers from a table of `METHOD /path`, without the base path, and records its requests. Other requests get a 404. */
export async function scriptedApi(t: TestContext, script: Script) {
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://server');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = `${request.method} ${url.pathname.replace('/api/v1', '')}`;
    asked.push(call);
    const body = await readBody(Buffer.concat(chunks), request.headers['content-type'] ?? '');
    const found = script[call]?.({ ...Object.fromEntries(url.searchParams), ...body });
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? missing));
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function readBody(bytes: Buffer<ArrayBuffer>, type: string): Promise<object> {
  if (bytes.length === 0) return {};
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString()) as object;
  return Object.fromEntries(await new Response(bytes, { headers: { 'content-type': type } }).formData());
}

/** Runs a command line within this process. With `typed` stdin is a terminal and the answer is that text. */
export async function run(
  url: string,
  args: string[],
  { json = false, typed, more = {} }: { json?: boolean; typed?: string; more?: Record<string, string> } = {},
) {
  let [out, notes] = ['', ''];
  const stream = (write: (text: string) => void) =>
    ({ isTTY: typed !== undefined, columns: 200, write: (text: string) => (write(text), true) }) as unknown as NodeJS.WriteStream;
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined }) as unknown as NodeJS.ReadStream;
  if (typed !== undefined) (stdin as unknown as PassThrough).write(`${typed}\n`);
  const env = {
    PADDOCK_API_KEY: 'pk_live_of-a-test',
    XDG_CONFIG_HOME: join(tmpdir(), 'paddock-no-config'),
    NO_COLOR: '1',
    ...more,
  };
  const terminal = openTerminal({ json, env, stdout: stream((text) => (out += text)), stderr: stream((text) => (notes += text)), stdin });
  let code = 0;
  const program = buildProgram({
    json,
    version: '0',
    run: async (_options, work) => {
      const { signal } = new AbortController();
      code = (await work(openContext({ terminal, env, stdin, cwd: tmpdir(), version: '0', signal, givenUrl: url }))) ?? 0;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = toExitCode(error);
    notes += messageOf(error);
  }
  return { code, out, notes };
}
