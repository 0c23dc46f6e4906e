import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './host/run.ts';
import { hostResolvers, isCidr, sandboxRules } from './network/egress.ts';
import { lineSplitter } from './output/lines.ts';
import { parseSockets } from './proc/ports.ts';
import { parseStat } from './proc/processes.ts';
import { decodeStatus, sandboxFolder } from './records/records.ts';
import { seccompFilter } from './sandbox/seccomp.ts';

test('the rules of a sandbox are valid for any mix of openings, overlapping ones too', async () => {
  const reaches = [
    { resolvers: [], allow: [], endpoints: [], services: [], own: [] },
    {
      ...{ resolvers: ['10.0.0.53', '10.0.0.53', '9.9.9.9'], allow: ['10.1.0.0/16', '10.1.2.0/24', '192.168.7.1'] },
      endpoints: [
        { name: 'registry.internal', address: '10.2.3.4', port: 8081 },
        { name: 'other.internal', address: '10.2.3.4', port: 8081 },
      ],
      services: [
        { address: '127.0.0.1', port: 3128 },
        { address: '203.0.113.9', port: 4873 },
        { address: '127.0.0.53', port: 53 },
      ],
      own: ['203.0.113.9', '203.0.113.9'],
    },
  ];
  for (const reach of reaches)
    for (const gateway of [undefined, '127.0.0.1', '198.18.0.1']) {
      await run('unshare', ['-rn', 'nft', '-f', '-'], { stdin: sandboxRules(reach, gateway) });
    }
});

test('an opening must be an IPv4 network', () => {
  for (const good of ['10.0.0.0/8', '10.1.2.3', '0.0.0.0/0']) assert.ok(isCidr(good), good);
  for (const bad of ['10.0.0.0/33', '10.0.0/8', 'fd00::/8', '10.0.0.0/8 } accept', '', '10.0.0.0/8/8']) assert.ok(!isCidr(bad), bad);
});

test('name servers on the loopback count only where there are no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-resolvers-'));
  const file = (name: string, ...addresses: string[]) => {
    writeFileSync(join(folder, name), addresses.map((address) => `nameserver ${address}\n`).join(''));
    return join(folder, name);
  };
  const [stub, upstream, mixed] = [
    file('stub', '127.0.0.53'),
    file('upstream', '9.9.9.9', 'fe80::1'),
    file('mixed', '127.0.0.1', '10.0.0.53'),
  ];
  assert.deepEqual(hostResolvers([stub, upstream]), ['9.9.9.9']);
  assert.deepEqual(hostResolvers([mixed, upstream]), ['10.0.0.53']);
  assert.deepEqual(hostResolvers([stub, '/nonexistent']), ['127.0.0.53']);
  assert.deepEqual(hostResolvers(['/nonexistent']), []);
  rmSync(folder, { recursive: true });
});

test('open ports are read from the kernel table, with their reach', () => {
  const row = (address: string, state: string) =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  0 0 4711 1`;
  const four = ['header', row('0100007F:1F90', '0A'), row('00000000:0D80', '0A'), row('0100007F:1F91', '01')].join('\n');
  assert.deepEqual(parseSockets(four, 4), [
    { port: 8080, family: 4, loopback_only: true },
    { port: 3456, family: 4, loopback_only: false },
  ]);
  const six = [
    'header',
    row(`${'0'.repeat(24)}01000000:1F90`, '0A'),
    row(`${'0'.repeat(32)}:0D80`, '0A'),
    row('0000000000000000FFFF00000100007F:1F92', '0A'),
  ];
  assert.deepEqual(parseSockets(six.join('\n'), 6), [
    { port: 8080, family: 6, loopback_only: true },
    { port: 3456, family: 6, loopback_only: false },
    { port: 8082, family: 4, loopback_only: true },
  ]);
  assert.deepEqual(parseSockets(four, 4, new Set(['1'])), []);
});

test('a process with brackets and blanks in its name is still read right', () => {
  const fields = `S 1 ${Array.from({ length: 17 }, (_, index) => index).join(' ')} 4242 rest`;
  assert.deepEqual(parseStat(`77 (a) b (c)) ${fields}`), {
    pid: 77,
    state: 'S',
    ppid: 1,
    start: 4242,
    cpuTicks: 9 + 10,
    childTicks: 11 + 12,
  });
});

test('lines are cut at line ends only, whatever the chunks', () => {
  const found: string[] = [];
  const lines = lineSplitter((line) => found.push(line));
  const bytes = Buffer.from('grün\r\nzwei\n\nlast');
  for (const byte of bytes) lines.push(Buffer.from([byte]));
  lines.end();
  assert.deepEqual(found, ['grün', 'zwei', '', 'last']);
});

test('an exit status above 128 that names a signal is a death by that signal', () => {
  assert.deepEqual(decodeStatus(134), { code: null, signal: 'SIGABRT' });
  assert.deepEqual(decodeStatus(137), { code: null, signal: 'SIGKILL' });
  assert.deepEqual(decodeStatus(255), { code: 255, signal: null });
  assert.deepEqual(decodeStatus(0), { code: 0, signal: null });
});

test('no id leads out of the folder', () => {
  for (const id of ['..', '.', 'a/b', '', '/etc', 'a\0b', '-x']) assert.throws(() => sandboxFolder('/data', id), /cannot be the id/);
});

test('the system call filter exists for both architectures and is refused for others', () => {
  assert.equal(seccompFilter('x64').length % 8, 0);
  assert.notDeepEqual(seccompFilter('x64'), seccompFilter('arm64'));
  assert.equal(seccompFilter('x64', 'refused').length, seccompFilter('x64').length - 8);
  assert.throws(() => seccompFilter('ia32'), /supported/);
});
