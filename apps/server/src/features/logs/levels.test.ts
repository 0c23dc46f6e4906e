import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentLevel, buildLevel } from './levels.ts';

const said: [line: string, level: string][] = [
  ['[2024-01-01 10:00:00 +0000] [7] [INFO] Starting gunicorn', 'info'],
  ['[2024-01-01 10:00:00 +0000] [7] [ERROR] Worker (pid:9) was sent SIGKILL!', 'error'],
  ['[2024-01-01 10:00:00 +0000] [7] [WARNING] Worker with pid 9 was terminated', 'warning'],
  ['[01/01/24 10:00:00] INFO     started', 'info'],
  ['[01/01/24 10:00:00] WARNING  slow', 'warning'],
  ['10:00:00.123 [main] INFO  com.example.Desk - started', 'info'],
  ['10:00:00.123 [http-nio-8080-exec-1] ERROR com.example.Desk - gone', 'error'],
  ['2024-01-01 10:00:00.123 [main] DEBUG c.e.Desk - asked', 'debug'],
  ['2024-01-01T10:00:00.000Z  INFO 1 --- [main] c.e.Desk : started', 'info'],
  ['INFO:     Uvicorn running on http://0.0.0.0:8080', 'info'],
  ['WARNING:root:slow', 'warning'],
  ['2024-01-01 10:00:00,123 - desk - ERROR - gone', 'error'],
  ['\u001b[32m2024-01-01 10:00:00.123\u001b[0m | \u001b[1mINFO    \u001b[0m | desk:main:3 - started', 'info'],
  ['{"level":"warn","msg":"slow"}', 'warning'],
  ['Traceback (most recent call last):', 'error'],
];

test('what a line says of its level counts on both streams', () => {
  for (const [line, level] of said)
    for (const stream of ['stdout', 'stderr'] as const) assert.equal(agentLevel(line, stream), level, `${stream}: ${line}`);
});

test('of lines without a level those on stderr are errors, but for a logger’s, bars of progress and addresses', () => {
  for (const line of [
    '2024/01/01 10:00:00 started',
    '100%|##########| 100/100 [00:01<00:00]',
    'Loading: 40%|####      | 4/10',
    ' * Running on http://127.0.0.1:5000',
  ])
    assert.equal(agentLevel(line, 'stderr'), 'info', line);
  for (const line of ['segmentation fault', 'cannot open the desk', '[desk] gone']) {
    assert.equal(agentLevel(line, 'stderr'), 'error', line);
    assert.equal(agentLevel(line, 'stdout'), 'info', line);
  }
});

test('a build’s own warnings are warnings', () => {
  assert.equal(buildLevel('Warning: the lock file does not fit'), 'warning');
  assert.equal(buildLevel('warning: package.json: No license field'), 'warning');
  assert.equal(buildLevel('Resolved 12 packages'), 'info');
});
