import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startPlatform } from '../../../test/platform.ts';

const clone = join(import.meta.dirname, '../../../../..');
const folder = mkdtempSync(join(tmpdir(), 'paddock-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The guides in the order in which their examples run: the API guide signs in and deploys, the last two delete the project and sign out. */
const guides = [
  ...['api', 'api-keys', 'concepts', 'alerts', 'traces', 'usage', 'billing', 'webhooks', 'databases', 'observability'],
  ...['api-streams', 'sign-in'],
];

/** The blocks of a guide that call the API; others in the same guide are for the command line and Prometheus. */
const examplesOf = (guide: string) =>
  [...readFileSync(join(clone, `docs/${guide}.md`), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
    .map(([, lines = '']) => ({ guide, lines }))
    .filter(({ lines }) => /\$PADDOCK\b|^PADDOCK=/m.test(lines));
const examples = guides.flatMap(examplesOf);

/** Fails when the server refuses, and calls no other host. */
const strict = (origin: string) => `set -euo pipefail
curl() { command curl --fail-with-body --max-time 60 "$@"; }
cd '${folder}'
${examples[0]?.lines.replace('http://localhost:4000', origin)}`;

test('the examples of the guides to the API run as they stand, from top to bottom, in one shell', async () => {
  assert.ok(examples.length > 20, 'there are examples');
  assert.deepEqual([...new Set(examples.map(({ guide }) => guide))], guides);
  const platform = await startPlatform(undefined, { PADDOCK_EGRESS_ALLOW: '127.0.0.1/32' });
  cpSync(join(clone, 'examples/chat'), join(folder, 'examples/chat'), { recursive: true });
  const steps = examples
    .slice(1)
    .map(({ guide, lines }, n) => `echo "# example ${n + 1} of ${guide}" >&2\n${lines.replace('db.example.com', '127.0.0.1:1')}`);
  const shell = spawn('bash', ['-c', [strict(platform.origin), ...steps].join('\n')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
    env: { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, HOME: folder },
  });
  const [printed, said] = await Promise.all([text(shell.stdout), text(shell.stderr), new Promise((done) => shell.once('close', done))]);
  assert.equal(shell.exitCode, 0, `${said.slice(-1_500)}\n${printed.slice(-1_500)}`);
  assert.match(said, new RegExp(`# example ${examples.length - 1} of `));
  assert.doesNotMatch(printed, /No such path/);
  for (const file of ['audit-logs.jsonl', 'soc2.zip', 'deployment.jsonl']) assert.ok(statSync(join(folder, file)).size > 0, file);
});
