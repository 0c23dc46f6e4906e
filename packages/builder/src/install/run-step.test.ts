import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { BuildError } from '../build-error.ts';
import type { HostRegistry } from '../registry/host-registry.ts';
import { runCommand } from './run-step.ts';
import type { Command, StepContext } from './step-context.ts';

const nothing = { env: {}, mounts: [] };

/** Runs an install whose only host is not known, in attempts that take so long. Returns the number of attempts and the failure. */
async function install(duration_ms: number): Promise<{ attempts: number; failure: BuildError }> {
  let attempts = 0;
  const context = {
    run: {
      isolated: true,
      run: async (_step, onLine) => {
        attempts++;
        onLine(
          'stderr',
          'npm error network request to https://codeload.example.com/x failed, reason: getaddrinfo ENOTFOUND codeload.example.com',
        );
        return { code: 1, signal: null, oom: false, disk_full: false, forks_refused: false, timed_out: false, duration_ms };
      },
    },
    dataDir: tmpdir(),
    registry: { install: nothing, build: nothing, endpoints: [] } as unknown as HostRegistry,
    deadline: performance.now() + 600_000,
    signal: new AbortController().signal,
    onLine: () => undefined,
    redact: (text: string) => text,
  } as Partial<StepContext> as StepContext;
  const command: Command = { step: 'install', doing: 'installing', command: ['npm', 'ci'], cwd: '/app', ...nothing, credentials: false };
  const failure = await runCommand(context, command).then(
    () => assert.fail('it failed'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof BuildError);
  return { attempts, failure };
}

test('an install that failed after minutes of its own retries is not begun again, and its message names the host', async () => {
  const { attempts, failure } = await install(240_000);
  assert.equal(attempts, 1);
  assert.equal(failure.code, 'registry_unreachable');
  assert.match(failure.message, /codeload\.example\.com/);
});

test('an install that failed at once for want of a network is tried three times', async () => {
  assert.equal((await install(900)).attempts, 3);
});
