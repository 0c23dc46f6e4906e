import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from './explain-failure.ts';

const npm = [
  'npm error code ETARGET',
  'npm error notarget No matching version found for ms@99.9.9.',
  'npm error notarget In most cases you …',
  'npm error A complete log of this run can be found in: x',
];
const refused = [
  'npm error code ECONNREFUSED',
  'npm error syscall connect',
  'npm error FetchError: request to http://host/ms failed, reason: connect ECONNREFUSED',
];
const uv = [
  '× No solution found when resolving dependencies:',
  '╰─▶ Because there is no version of six==99 and you require six==99,',
  'we can conclude that your requirements are unsatisfiable.',
];
const pip = ["WARNING: Retrying after connection broken by 'NewConnectionError'", 'ERROR: No matching distribution found for six'];

test('the reason is the line that tells the cause', () => {
  const above = ['  cause: Because only bell<=1.8.0 is available and you require bell>=2.0.0, we can conclude that it is unsatisfiable.'];
  assert.equal(explain(above).reason, 'There is no version bell>=2.0.0 in the registry.');
  assert.match(explain(above).hint, /^The newest is 1\.8\.0: /);
  assert.equal(explain(npm).reason, 'There is no version ms@99.9.9 in the registry.');
  assert.equal(explain(refused).reason, 'Nothing answers at host: the connection was refused.');
  const own = explain(['npm error FetchError: request to http://10.0.0.7:32700/x failed, reason: connect ECONNREFUSED 10.0.0.7:32700']);
  assert.match(own.hint ?? '', /^10\.0\.0\.7:32700 is an address of a private network\. If the lock file .* make that again/);
  assert.equal(explain(uv).reason, 'There is no version six==99 in the registry.');
  assert.equal(explain(['building', 'TypeError [ERR_X]: no', '    at x.js:1:1', 'Node.js v24.0.0']).reason, 'TypeError [ERR_X]: no');
  assert.equal(explain(['\u001b[31merror\u001b[0m: red']).reason, 'error: red');
});

test('a broken network is worth another try, a wrong name or version is not', () => {
  assert.ok(explain(refused).transient);
  assert.ok(explain(pip).transient);
  assert.ok(explain(['error: Request failed after 3 retries', 'Caused by: dns error: failed to lookup address information']).transient);
  assert.ok(!explain(npm).transient);
  assert.ok(!explain(uv).transient);
  assert.ok(!explain(['npm error code E404', 'npm error 404 Not Found']).transient);
});

const says: [what: string, lines: string[], reason: RegExp, hint: RegExp][] = [
  [
    'a compiler: its first error',
    ["a.ts(8,8): error TS1259: Module 'cors' can only be default-imported", "b.ts(1,1): error TS2307: Cannot find module 'x'"],
    /TS1259/,
    /pin the version of TypeScript/,
  ],
  [
    'a compiler whose settings stand outside of the archive',
    ["tsconfig.json(2,14): error TS5083: Cannot read file '/tsconfig.json'.", 'c.ts(1,1): error TS7006: any'],
    /outside of the archive/,
    /“root”/,
  ],
  [
    'a host that is out of reach',
    ['FetchError: request to https://fonts.example.com/css failed, reason: getaddrinfo ENOTFOUND fonts.example.com'],
    /^It needs fonts\.example\.com, which this machine doesn’t reach/,
    /do without it/,
  ],
  [
    'an old package that builds with what newer tools lack',
    ["ModuleNotFoundError: No module named 'pkg_resources'"],
    /pkg_resources/,
    /newer version/,
  ],
];
for (const [what, lines, reason, hint] of says)
  test(`the failure of ${what} is told with what to try`, () => {
    const told = explain(lines);
    assert.match(told.reason, reason);
    assert.match(told.hint, hint);
  });
