import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const RUN = new URL('./run.mjs', import.meta.url).href;

/** Runs the bootstrap's last step with a program given as source text, detached from the terminal that may run these tests. */
function startUnderRun(program: string) {
  const code = `import { run } from ${JSON.stringify(RUN)}; run(process.execPath, ['-e', ${JSON.stringify(program)}]);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
}

test('the exit code of the command is the exit code of npm start', async () => {
  const [code] = await once(startUnderRun('process.exit(7)'), 'exit');
  assert.equal(code, 7);
});

test('a command that a signal ended is told as a shell would tell it', async () => {
  const [code] = await once(startUnderRun("process.kill(process.pid, 'SIGKILL')"), 'exit');
  assert.equal(code, 137);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} reaches the command once, and its clean end is waited for`, async () => {
    const program = `
      let heard = 0;
      process.on('${signal}', () => { heard += 1; setTimeout(() => process.exit(10 + heard), 300); });
      console.log('ready'); setInterval(() => undefined, 1000);`;
    const child = startUnderRun(program);
    await once(child.stdout, 'data');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    assert.equal(code, 11);
  });
}
