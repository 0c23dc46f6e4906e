import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseCommand, withPort } from './commands.ts';

test('the port reaches a command of ours without any of the archive’s text becoming shell text', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ maxLength: 12 }).filter((s) => !s.includes('\0') && !s.includes('$PORT')),
        { maxLength: 4 },
      ),
      (words) => {
        const { command, env } = withPort(['printf', '%s\\0', '--', ...words, '0.0.0.0:$PORT'], { A: '$PORT', B: 'x' });
        assert.deepEqual(env, { B: 'x' });
        const [file = '', ...args] = command;
        const out = spawnSync(file, args, { env: { PORT: '8123', PATH: '/usr/bin:/bin' } }).stdout.toString();
        assert.equal(
          out,
          ['--', ...words, '0.0.0.0:8123']
            .map((w) => `${w}\0`)
            .join('')
            .replace(/^--\0/, words.length >= 0 ? '--\0' : ''),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('only a line that needs a shell gets one', () => {
  assert.deepEqual(parseCommand('node a.js --x=1'), ['node', 'a.js', '--x=1']);
  for (const line of ['A=1 node a.js', 'cd x && node a.js', 'node a.js | cat', 'echo "a b"', 'node $FILE', 'exec node a'])
    assert.deepEqual(parseCommand(line), ['/bin/sh', '-c', line]);
});
