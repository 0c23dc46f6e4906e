import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { programOf } from '../../../../scripts/test/product.ts';
import { compileCache } from '../../test/platform.ts';

const firstFree = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
const skip = firstFree > 80 ? false : 'this machine lets every program listen on port 80';

/** Starts the server without the right to listen on ports below 1024, even if the test runs as root. */
async function startWithoutRight(t: TestContext, settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-refused-'));
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', programOf('server')];
  const env = {
    PATH: process.env.PATH,
    ...compileCache(),
    PADDOCK_DATA_DIR: dataDir,
    PADDOCK_LOG_LEVEL: 'fatal',
    PADDOCK_PORT: '0',
    PADDOCK_GATEWAY_PORT: '0',
    ...settings,
  };
  const isRoot = process.getuid?.() === 0;
  const [program = '', ...args] = isRoot ? ['setpriv', '--bounding-set=-net_bind_service', ...command] : command;
  const server = spawn(program, args, { env, timeout: 90_000 });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const [exit] = (await once(server, 'close')) as [number | null];
  return { exit, output };
}

for (const setting of ['PADDOCK_PORT', 'PADDOCK_GATEWAY_PORT'])
  test(`a server that may not listen on its ${setting} says so in one line, with the way out`, { skip }, async (t) => {
    const { exit, output } = await startWithoutRight(t, { [setting]: '80' });
    assert.equal(exit, 1);
    assert.match(
      output,
      new RegExp(`^Paddock does not start\\. Port 80 is for programs with more rights .* higher port with ${setting}, .*\\n$`),
    );
  });
