import type { LogLine } from '@paddock/contract';
import type { SampleKind } from './plans.ts';

export type Draft = Pick<LogLine, 'level' | 'source' | 'message'>;

const line = (source: Draft['source'], message: string, level: Draft['level'] = 'info'): Draft => ({ source, level, message });
const green = (text: string) => `\x1b[32m${text}\x1b[0m`;
const dim = (text: string) => `\x1b[2m${text}\x1b[0m`;

export const queuedLines = (source: string): Draft[] => [line('platform', `Accepted ${source}`)];

const installed: Record<SampleKind, string[]> = {
  fastapi: ['fastapi==0.128.0', 'httpx==0.28.1', 'openai==2.8.1', 'pydantic==2.12.4', 'uvicorn==0.38.0'],
  node: ['hono@4.10.6', 'openai@6.9.0', 'zod@4.1.12'],
  worker: ['boto3==1.40.74', 'pypdf==6.2.0', 'tenacity==9.1.2'],
  job: ['datasets==4.4.1', 'openai==2.8.1', 'tabulate==0.9.0'],
};
const installs: Record<SampleKind, string> = {
  fastapi: 'uv pip install -r requirements.txt',
  node: 'npm ci',
  worker: 'uv sync --locked --no-dev',
  job: 'uv pip install -r requirements.txt',
};

export const unpackedLines: Draft[] = [line('platform', 'Unpacked 14 files (38 KB)')];

/** The complete build log, which the demo shows gradually. */
export const buildLines = (kind: SampleKind): Draft[] => [
  ...unpackedLines,
  line('platform', kind === 'node' ? 'Found package.json: this is Node 24' : 'Found Python 3.13'),
  line('build', `$ ${installs[kind]}`),
  line('build', '  10 %\r  48 %\r 100 % resolved'),
  ...installed[kind].map((name) => line('build', ` ${green('+')} ${name}`)),
  line('build', dim(`Installed ${installed[kind].length} packages in 4.1 s`)),
  ...(kind === 'node'
    ? [line('build', '$ npm run build'), line('build', 'src/agent.ts 4.2 kB → dist/agent.js'), line('build', green('built in 812 ms'))]
    : [line('build', 'requirements are not pinned; the next build may install others', 'warning')]),
  line('platform', 'Build finished'),
];

export const startLines = (kind: SampleKind): Draft[] => [
  line('platform', 'Starting'),
  ...(kind === 'fastapi'
    ? ['Started server process [7]', 'Waiting for application startup.', 'Uvicorn running on http://0.0.0.0:8080'].map((text) =>
        line('agent', `${green('INFO')}:     ${text}`),
      )
    : [line('agent', kind === 'node' ? 'listening on 8080' : 'ready, waiting for work')]),
];

export const activeLine = (kind: SampleKind): Draft =>
  kind === 'job'
    ? line('platform', 'The agent ended with exit code 0')
    : line('platform', 'Ready: the address now leads to this deployment');

/** The last lines of a failed deployment, by the stage in which it failed. */
export function failureLines(stage: string, message: string): Draft[] {
  if (stage === 'building')
    return [
      line('build', '\x1b[31mERROR\x1b[0m in src/agent.ts:3:23', 'error'),
      line('build', "  import { load } from 'cheerio'", 'error'),
      line('build', '                       ~~~~~~~~~ cannot find module', 'error'),
      line('platform', message, 'error'),
    ];
  return [
    line('agent', 'Traceback (most recent call last):', 'error'),
    line('agent', '  File "/app/worker.py", line 12, in <module>', 'error'),
    line('agent', '    orders = connect(os.environ["ORDERS_URL"])', 'error'),
    line('agent', "KeyError: 'ORDERS_URL'", 'error'),
    line('platform', message, 'error'),
  ];
}

const routes = ['/invocations', '/invocations', '/invocations', '/ping', '/v1/chat/completions'];

/** The nth log line of a running agent; the same n gives the same line. */
export function workLine(kind: SampleKind, n: number): Draft {
  const chance = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  const ms = 40 + (chance % 900);
  if (kind === 'worker' || kind === 'job') {
    if (n % 17 === 16)
      return line('agent', `WARNING invoice ${4000 + n}: total differs from the order by ${(chance % 900) / 100} EUR`, 'warning');
    return line('agent', `INFO checked invoice ${4000 + n} in ${ms} ms`);
  }
  if (n % 41 === 40) return line('agent', `ERROR upstream model answered 529 after ${ms * 4} ms; trying again in 2 s`, 'error');
  if (n % 19 === 18) return line('agent', `WARNING slow request: ${ms + 900} ms`, 'warning');
  if (n % 7 === 6)
    return line('agent', JSON.stringify({ level: 'debug', event: 'tool_call', tool: 'search', tokens: chance % 700, ms }), 'debug');
  return line('agent', `${green('INFO')}:     172.16.0.1 - "POST ${routes[chance % routes.length]} HTTP/1.1" ${dim('200 OK')} ${ms} ms`);
}
