import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPart } from './missing.ts';

const texts: [what: string, tail: string[], message: RegExp][] = [
  ['a program of a shell line', ['/bin/sh: 1: tunnel.sh: not found'], /The program tunnel\.sh is not there/],
  [
    'a file of variables',
    ['node: .env: not found'],
    /reads the file \.env \(--env-file\), which is not there: set its variables under Variables/,
  ],
  [
    'a file of variables of uv',
    ['error: No environment file found at: `desk.env`'],
    /reads the file desk\.env \(--env-file\), which is not there/,
  ],
  [
    'a package around a file',
    ['    from .answers import answer', "ModuleNotFoundError: No module named 'src/desk'"],
    /src\/desk\.py imports from its own package .* start it as a module, such as “python -m src\.desk”/,
  ],
];
for (const [what, tail, message] of texts)
  test(`last lines that miss ${what} say which`, () => assert.match(missingPart(tail) ?? '', message));
