import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { StepResult, StepRunner, StepSpec } from '../driver.ts';
import { stepRunner } from '../index.ts';
import { LIMITS, NODE, processesWith, until } from '../test/agents.ts';
import { log } from '../test/sandboxed.ts';
import { MAX_LINE_CHARACTERS } from './output/lines.ts';

const never = new AbortController().signal;

for (const unsandboxed of [false, true]) {
  suite(`build steps${unsandboxed ? ', unsandboxed' : ''}`, () => {
    let root: string;
    let out: string;
    let runner: StepRunner;

    before(() => {
      root = mkdtempSync(join(tmpdir(), 'paddock-steps-'));
      out = join(root, 'out');
      mkdirSync(out);
      runner = stepRunner({ dataDir: join(root, 'data'), installation: 'test', unsandboxed, log });
    });
    after(() => rmSync(root, { recursive: true, force: true }));

    const step = (command: string[], change: Partial<StepSpec> = {}): StepSpec => ({
      name: 'Install packages',
      command,
      cwd: '/build',
      env: {},
      mounts: [
        { from: out, at: '/build', writable: true },
        { from: dirname(dirname(process.execPath)), at: '/opt/node' },
      ],
      limits: LIMITS,
      timeout_ms: 20_000,
      egress: { allow: [] },
      registries: [],
      ...change,
    });

    async function lines(spec: StepSpec, signal = never): Promise<{ result: StepResult; stdout: string[]; stderr: string[] }> {
      const found = { stdout: [] as string[], stderr: [] as string[] };
      const result = await runner.run(spec, (stream, line) => found[stream].push(line), signal);
      return { result, ...found };
    }

    test('a command that cannot be started is named, and no program that starts it', async () => {
      writeFileSync(join(out, 'plain'), 'echo no\n', { mode: 0o644 });
      for (const [command, reason] of [
        ['./absent', /^exec: \.\/absent: (No such file or directory|not found)$/],
        ['./plain', /^exec: \.\/plain: Permission denied$/],
      ] as const) {
        const { result, stderr } = await lines(step([command]));
        assert.notEqual(result.code, 0);
        assert.equal(stderr.length, 1);
        assert.match(stderr[0] ?? '', reason);
      }
    });

    test('a step delivers its lines, its exit code and what it wrote', async () => {
      const { result, stdout, stderr } = await lines(
        step(['/bin/sh', '-c', 'echo one; echo two >&2; echo three >/dev/stderr; echo kept > file; printf last; exit 4']),
      );
      assert.deepEqual(
        [stdout, stderr],
        [
          ['one', 'last'],
          ['two', 'three'],
        ],
      );
      assert.deepEqual([result.code, result.signal, result.oom, result.timed_out], [4, null, false, false]);
      assert.equal(readFileSync(join(out, 'file'), 'utf8'), 'kept\n');
    });

    test('what a step wrote belongs to the platform afterwards, readable by all, without special rights', {
      skip: unsandboxed && "files are the platform's from the start",
    }, async () => {
      await lines(step(['/bin/sh', '-c', 'mkdir -p d/e; echo x > d/e/f; chmod 4711 d/e/f; chmod 700 d']));
      const [folder, file] = [statSync(join(out, 'd')), statSync(join(out, 'd/e/f'))];
      assert.deepEqual([folder.uid, file.uid], [process.getuid?.(), process.getuid?.()]);
      assert.deepEqual([(folder.mode & 0o7777).toString(8), (file.mode & 0o7777).toString(8)], ['755', '755']);
    });

    test('a link that a step leaves behind is not followed when ownership changes', async () => {
      const outside = join(root, 'outside');
      writeFileSync(outside, '', { mode: 0o600 });
      await lines(step(['/bin/sh', '-c', `ln -sf ${outside} link; ln -sf ${root} folder`]));
      await lines(step(['true']));
      assert.equal(statSync(outside).mode & 0o777, 0o600);
      assert.equal(statSync(outside).uid, process.getuid?.());
      assert.equal(statSync(root).mode & 0o777, 0o700);
    });

    test('a link in the place of a folder that a step may change is refused, and what it points to keeps its modes', async () => {
      const [outside, link] = [join(root, 'private'), join(root, 'linked')];
      mkdirSync(outside, { mode: 0o700 });
      symlinkSync(outside, link);
      await assert.rejects(lines(step(['true'], { mounts: [{ from: link, at: '/build', writable: true }] })), /is none/);
      assert.equal(statSync(outside).mode & 0o777, 0o700);
    });

    test('a line without end is cut and marked', async () => {
      const { stdout } = await lines(step(['/bin/sh', '-c', 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo after']));
      assert.equal(stdout.length, 2);
      assert.equal(stdout[0], `${'x'.repeat(MAX_LINE_CHARACTERS)} …[cut]`);
      assert.equal(stdout[1], 'after');
    });

    test('a step that takes too long is ended with everything it started', async () => {
      const token = `step-${process.pid}-${Date.now()}`;
      const { result, stdout } = await lines(
        step(['/bin/sh', '-c', `setsid sh -c 'sleep 60; :' ${token} & echo begun; sleep 60`], { timeout_ms: 3000 }),
      );
      assert.deepEqual([result.timed_out, stdout], [true, ['begun']]);
      assert.ok(result.duration_ms < 30_000);
      assert.deepEqual(processesWith(token), []);
    });

    test('a cancelled step ends at once', async () => {
      const controller = new AbortController();
      const spec = step(['/bin/sh', '-c', 'echo begun; sleep 60']);
      const result = await runner.run(spec, () => controller.abort(), controller.signal);
      assert.equal(result.code, null);
      assert.equal(result.timed_out, false);
    });

    test('what a step leaves running ends with it', async () => {
      const token = `step-${process.pid}-${Date.now()}`;
      const begun = performance.now();
      await lines(step(['/bin/sh', '-c', `setsid sh -c 'sleep 60; :' ${token} & exit 0`]));
      assert.ok(performance.now() - begun < 50_000, 'it did not wait for what sleeps for 60 s');
      assert.deepEqual(processesWith(token), []);
    });

    test('nothing of a step stays but what it wrote', async () => {
      await lines(step(['true']));
      assert.deepEqual(readdirSync(join(root, 'data/steps')), []);
    });

    test('a step ends with the server that runs it', async () => {
      const token = `step-${process.pid}-${Date.now()}`;
      const spec = step(['/bin/sh', '-c', `sh -c 'sleep 60; :' ${token}`]);
      const code = `
        const { stepRunner } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
        const runner = stepRunner({ dataDir: ${JSON.stringify(join(root, 'data'))}, installation: 'test', unsandboxed: ${unsandboxed}, log: console });
        await runner.run(${JSON.stringify(spec)}, () => {}, new AbortController().signal);
      `;
      const server = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
      await until('the step', () => processesWith(token).length > 0 || undefined);
      server.kill('SIGKILL');
      await once(server, 'exit');
      // If the death of the server does not end the step, the next runner on the same folder ends it.
      const next = stepRunner({ dataDir: join(root, 'data'), installation: 'test', unsandboxed, log });
      await next.run(step(['true']), () => undefined, never);
      await until('the end of the step', () => processesWith(token).length === 0 || undefined);
      assert.deepEqual(readdirSync(join(root, 'data/steps')), []);
    });

    if (unsandboxed) return;

    test('a step that takes too much memory is ended, and the result says why', async () => {
      const { result } = await lines(
        step([NODE, '-e', 'const kept=[]; for(;;) kept.push(Buffer.alloc(8e6,1))'], { limits: { ...LIMITS, memory_mb: 96 } }),
      );
      assert.deepEqual([result.oom, result.timed_out], [true, false]);
    });

    test('a step that starts too many processes gets only as many as it may, and the result says so', {
      skip: process.getuid?.() !== 0 && 'needs control groups',
    }, async () => {
      const { result } = await lines(
        step(['/bin/sh', '-c', 'for i in $(seq 60); do sleep 5 & done; wait'], { limits: { ...LIMITS, processes: 20 } }),
      );
      assert.deepEqual([result.forks_refused, result.code === 0], [true, false]);
      assert.equal((await lines(step(['true']))).result.forks_refused, false);
    });

    test('a step that fills the disk through a writable mount is ended; what was there before does not count', async () => {
      const limits = { ...LIMITS, disk_mb: 30 };
      writeFileSync(join(out, 'earlier'), Buffer.alloc(40 * 1024 * 1024, 1));
      assert.equal(
        (await lines(step(['/bin/sh', '-c', 'sleep 0.5; head -c 9000000 /dev/zero > mine; sleep 1.5'], { limits }))).result.code,
        0,
      );
      const greedy = 'sleep 0.5; for i in 1 2 3 4 5 6; do head -c 9000000 /dev/zero > more$i; done; sleep 20';
      const { result } = await lines(step(['/bin/sh', '-c', greedy], { limits }));
      assert.deepEqual([result.disk_full, result.oom, result.timed_out], [true, false, false]);
      assert.ok(result.duration_ms < 15_000);
    });

    test('a step reaches a registry on this machine, also on its loopback, and nothing beside it', async () => {
      const registry = createServer((_, response) => response.end('package')).listen(0, '127.0.0.1');
      const secret = createServer((_, response) => response.end('secret')).listen(0, '127.0.0.1');
      await Promise.all([once(registry, 'listening'), once(secret, 'listening')]);
      const [open, closed] = [registry, secret].map((server) => (server.address() as AddressInfo).port);
      const ask = (port?: number) => `await fetch('http://localhost:${port}').then((answer) => answer.text(), (error) => error.cause.code)`;
      const script = `console.log(${ask(open)}, ${ask(closed)})`;
      const registries = [{ host: 'localhost', port: open ?? 0 }];
      const { stdout } = await lines(step([NODE, '--input-type=module', '-e', script], { registries }));
      assert.deepEqual(stdout, ['package ECONNREFUSED']);
      registry.close();
      secret.close();
    });

    test('a step reaches no service of the host', async () => {
      const server = createServer((_, response) => response.end('secret')).listen(0, '0.0.0.0');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const dial = `require('net').connect(${port}, '127.0.0.1').on('error', (error) => console.log(error.code)).on('connect', () => console.log('connected'))`;
      const { stdout } = await lines(step([NODE, '-e', dial]));
      assert.deepEqual(stdout, ['ECONNREFUSED']);
      server.close();
    });
  });
}
