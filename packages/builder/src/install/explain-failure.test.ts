import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, isTransient } from './explain-failure.ts';

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
  assert.equal(explain(npm).reason, 'No matching version found for ms@99.9.9.');
  assert.match(explain(refused).reason, /^FetchError: request to .* ECONNREFUSED$/);
  assert.match(explain(uv).reason, /^No solution found .* Because there is no version of six==99/);
  assert.equal(explain(['building', 'TypeError [ERR_X]: no', '    at x.js:1:1', 'Node.js v24.0.0']).reason, 'TypeError [ERR_X]: no');
  assert.equal(explain(['\u001b[31merror\u001b[0m: red']).reason, 'error: red');
});

test('a broken network is worth another try, a wrong name or version is not', () => {
  assert.ok(isTransient(refused));
  assert.ok(isTransient(pip));
  assert.ok(isTransient(['error: Request failed after 3 retries', 'Caused by: dns error: failed to lookup address information']));
  assert.ok(!isTransient(npm));
  assert.ok(!isTransient(uv));
  assert.ok(!isTransient(['npm error code E404', 'npm error 404 Not Found']));
});
