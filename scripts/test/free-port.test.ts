import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

test('ports for programs of tests are different ones in all processes, and lie below those of outgoing connections', async () => {
  const ask = `import { freePort } from ${JSON.stringify(join(import.meta.dirname, 'free-port.ts'))};
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
    console.log(ports.join());`;
  const others = await Promise.all([1, 2].map(() => promisify(execFile)(process.execPath, ['--input-type=module', '-e', ask])));
  const own = await Promise.all(Array.from({ length: 300 }, () => freePort()));
  assert.equal(new Set(own).size, own.length);
  const theirs = others.map(({ stdout }) => stdout.trim().split(',').map(Number));
  const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  for (const ports of [own, ...theirs]) {
    assert.equal(new Set(ports).size, 300);
    assert.ok(Math.max(...ports) < first!);
  }
});
