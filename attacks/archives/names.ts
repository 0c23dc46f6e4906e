import { until } from '../../apps/server/test/platform.ts';
import { writeZip } from '../../packages/builder/test/write-zip.ts';
import type { Row } from '../row.ts';
import type { Target } from './try-archive.ts';

const traversal = [
  '..',
  '.',
  '../x',
  '..\\x',
  '%2e%2e%2f',
  '%2e%2e/',
  '/etc/passwd',
  '~root',
  'a/b',
  'a\\b',
  'con',
  'NUL',
  'aux.txt',
  '',
  ' ',
  'a'.repeat(256),
  'a'.repeat(5000),
];
const unicode = ['ünï', '日本語', '\u202egpj', 'a\u0000b', 'a\nb', 'a\r\nSet-Cookie: x=1', '\ud800', '\ufeff', '𝒳', 'i̇', '​'];
const foreign = [
  "'; drop table projects; --",
  '" or 1=1 --',
  '\\',
  '%',
  '_',
  '{{7*7}}',
  '${7*7}',
  '<img src=x onerror=alert(1)>',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  'undefined',
  'null',
  'NaN',
  '-rf',
  '--version',
  '-oProxyCommand=id',
  '@file',
  '*',
  '1e309',
];
/** Each command would leave a file if a shell, or a program that takes options, ever got it. */
const commands = (folder: string) => {
  const touch = `touch ${folder}/CANARY_RCE`;
  return [
    `$(${touch})`,
    `\`${touch}\``,
    `;${touch};`,
    `|${touch}`,
    `&& ${touch}`,
    `\n${touch}\n`,
    `' ; ${touch} ; '`,
    `" ; ${touch} ; "`,
    `--upload-pack=${touch}`,
    `-o ProxyCommand="${touch}"`,
    `\${IFS}${touch}`,
    `%0a${touch}`,
    `node_options=--require ${folder}/x`,
  ];
};

/**
 * The first payload of each kind: a path, an encoding, nothing, too much; characters that end or hide text; SQL, a pattern, markup, a
 * name of JavaScript, a number, an option; commands.
 */
const firstOfKind = [
  '..',
  '../x',
  '%2e%2e%2f',
  '/etc/passwd',
  '',
  'a'.repeat(5000),
  'a\u0000b',
  'a\r\nSet-Cookie: x=1',
  '\ud800',
  '%',
  '\\',
  '__proto__',
  '1e309',
  '-rf',
];
const isFirstOfKind = (payload: string) => firstOfKind.includes(payload) || /^\$\(|^\n|^--upload|drop table|<img/.test(payload);

/**
 * Sends hostile text in every field of the API and of an archive that takes a name. An accepted text must come back unchanged, every other
 * response must be a 4xx, none a 5xx, and no command in a text may ever run.
 */
export async function tryNames({ paddock, project_id, watch }: Target, token: string, { long }: { long: boolean }): Promise<Row[]> {
  const payloads = [...traversal, ...unicode, ...foreign, ...commands(watch.canary.folder)];
  const call = caller(paddock.origin, token);
  const rows: Row[] = [];
  const fields: {
    field: string;
    /** Sends every payload in the short form, too, which otherwise tries one of each kind. */
    all?: boolean;
    /** Each call costs a password hash: sends only the most harmful payloads, and in the short form one of each kind of these. */
    slow?: boolean;
    send(payload: string, n: number): Promise<Answer>;
    back?(body: Record<string, unknown>): unknown;
    as?(payload: string): string;
  }[] = [
    {
      field: 'project name',
      all: true,
      send: (name) => call('POST /projects', { name }),
      back: (body) => body.name,
      as: (text) => text.trim().toLowerCase(),
    },
    {
      field: 'project description',
      send: (description, n) => call('POST /projects', { name: `described-${n}`, description }),
      back: (body) => body.description,
      as: (text) => text.trim(),
    },
    { field: 'project id in a path', send: (id) => call(`GET /projects/${encodeURIComponent(id.toWellFormed())}`) },
    {
      field: 'variable name',
      send: (key) => call(`POST /projects/${project_id}/variables`, { environment: 'preview', variables: [{ key, value: 'x' }] }),
    },
    {
      field: 'variable value',
      send: (value, n) => call(`POST /projects/${project_id}/variables`, { environment: 'preview', variables: [{ key: `V${n}`, value }] }),
    },
    {
      field: 'person’s name',
      slow: true,
      send: (name, n) => call('POST /auth/signup', { name, email: `name${n}@example.com`, password: 'correct horse' }),
      back: (body) => (body.user as { name: string }).name,
      as: (text) => text.trim(),
    },
    { field: 'e-mail', slow: true, send: (email) => call('POST /auth/signup', { name: 'x', email, password: 'correct horse' }) },
    { field: 'sample', send: (sample) => call('POST /deployments/sample', { project_id, sample }) },
    { field: 'cursor', send: (cursor) => call(`GET /projects?cursor=${encodeURIComponent(cursor.toWellFormed())}`) },
    {
      field: 'search in logs',
      send: (search) => call(`GET /deployments/dep_x/logs?search=${encodeURIComponent(search.toWellFormed())}`),
    },
    { field: 'Idempotency-Key', send: (key, n) => call('POST /projects', { name: `key-${n}` }, { 'idempotency-key': key }) },
  ];
  const isHarmful = (one: string) => /touch|[\0\n\ud800]|<img|drop table/.test(one);
  for (const { field, all, slow, send, back, as = (text: string) => text } of fields) {
    const some = slow ? payloads.filter(isHarmful) : payloads;
    const tried = long || all ? some : some.filter(isFirstOfKind);
    const seen = { taken: 0, refused: 0 };
    const problems: string[] = [];
    for (const [n, payload] of tried.entries()) {
      const answer = await send(payload, n);
      if (answer.status >= 500) problems.push(`${answer.status} for ${JSON.stringify(payload)}`);
      if (answer.status < 300 && back && back(answer.body) !== as(payload))
        problems.push(`${JSON.stringify(payload)} came back as ${JSON.stringify(back(answer.body))}`);
      if (answer.status < 300) seen.taken += 1;
      else seen.refused += 1;
    }
    rows.push(
      row(
        {
          item: 'A16',
          attempt: `${tried.length} payloads as ${field}`,
          expected: 'taken as they are or 4xx',
          got: `${seen.taken} taken, ${seen.refused} refused with 4xx`,
        },
        [...problems, ...watch.escaped()],
      ),
    );
  }
  rows.push(await inArchives({ origin: paddock.origin, token, project_id }, watch));
  return rows;
}

type Project = { origin: string; token: string; project_id: string };

/** Sends the same commands in the places where an archive names things for a command line: managers, versions, paths, names of scripts. */
async function inArchives({ origin, token, project_id }: Project, watch: Target['watch']): Promise<Row> {
  const problems: string[] = [];
  const ended: string[] = [];
  for (const command of commands(watch.canary.folder).slice(0, 6)) {
    const yaml = JSON.stringify(command);
    const files = {
      'package.json': JSON.stringify({
        name: command,
        version: command,
        packageManager: `npm@${command}`,
        engines: { node: command },
        main: command,
        workspaces: [command],
      }),
      '.python-version': command,
      'paddock.yaml': `root: ${yaml}\nhealth: ${yaml}\nport: ${yaml}\n`,
      '.npmrc': `script-shell=${command}\nnode-options=${command}\n`,
      Procfile: 'web: true\n',
    };
    const form = new FormData();
    form.set('project_id', project_id);
    form.set('root', command);
    form.set(
      'code',
      new Blob([Uint8Array.from(writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))))]),
      `${command}.zip`,
    );
    const made = await fetch(`${origin}/api/v1/deployments`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
    if (made.status >= 500) problems.push(`${made.status} for ${JSON.stringify(command)}`);
    if (made.status !== 201) continue;
    const { id } = (await made.json()) as { id: string };
    const get = async () =>
      (await (await fetch(`${origin}/api/v1/deployments/${id}`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
        status: string;
        error_message: string;
      };
    await until('it has ended', async () => ['failed', 'completed', 'stopped', 'active'].includes((await get()).status));
    const { status, error_message } = await get();
    ended.push(status);
    if (/on our side/.test(error_message ?? '')) problems.push(error_message);
  }
  return row(
    {
      item: 'R30',
      attempt: `${ended.length} archives with commands in each setting`,
      expected: 'no command of theirs runs',
      got: ended.join(', '),
    },
    [...problems, ...watch.escaped()],
  );
}

const row = (tried: Pick<Row, 'item' | 'attempt' | 'expected' | 'got'>, problems: string[]): Row => ({
  ...tried,
  got: [...problems.slice(0, 5).map((text) => `WRONG ${text};`), tried.got].join(' '),
  ok: problems.length === 0,
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

function caller(origin: string, token: string) {
  return async (route: `${'GET' | 'POST'} /${string}`, body?: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const [method, path] = route.split(/ (.*)/s) as [string, string];
    let response: Response;
    try {
      response = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    } catch (error) {
      // The client itself refuses such a header.
      if (error instanceof TypeError && /header|ByteString/i.test(`${error.message} ${String(error.cause)}`))
        return { status: 400, body: {} };
      throw error;
    }
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} };
  };
}
