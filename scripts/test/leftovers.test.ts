import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { endLeftovers, markOf, runMark } from './leftovers.ts';

const isLinux = process.platform === 'linux';

/** A program that prints a line once it can receive SIGTERM. */
function program(env: Record<string, string>, body: string) {
  const child = spawn('sh', ['-c', `${body}; echo up; while :; do sleep 0.1; done`], { env: { PATH: process.env.PATH ?? '', ...env } });
  return { child, up: once(child.stdout, 'data'), ended: once(child, 'exit') };
}

test('what a run left behind is asked to end, then made to, and nothing of another run is touched', { skip: !isLinux }, async (t) => {
  const [run, other] = [randomUUID(), randomUUID()];
  const polite = program(markOf(run), 'trap "exit 7" TERM');
  const deaf = program(markOf(run), 'trap "" TERM');
  const stranger = program(markOf(other), ':');
  t.after(() => stranger.child.kill());
  await Promise.all([polite, deaf, stranger].map(({ up }) => up));
  const ended = await endLeftovers(run, 1500);
  for (const { child } of [polite, deaf])
    assert.ok(
      ended.some((command) => command.startsWith(`${child.pid} sh -c trap`)),
      ended.join('\n'),
    );
  assert.deepEqual(await polite.ended, [7, null], 'it cleaned up by itself');
  assert.deepEqual(await deaf.ended, [null, 'SIGKILL']);
  assert.equal(stranger.child.exitCode, null);
  assert.deepEqual(await endLeftovers(run), []);
});

test('a process hands the mark of its run on, and has none outside of a run', () => {
  assert.deepEqual(runMark(markOf('a-run')), markOf('a-run'));
  assert.deepEqual(runMark({ PATH: '/bin' }), {});
});
