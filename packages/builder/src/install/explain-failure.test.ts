import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from './explain-failure.ts';

const says: [what: string, lines: string[], reason: RegExp, hint: RegExp][] = [
  [
    'a compiler: its first error',
    ["a.ts(8,8): error TS1259: Module 'cors' can only be default-imported", "b.ts(1,1): error TS2307: Cannot find module 'x'"],
    /TS1259/,
    /doesn’t compile/,
  ],
  [
    'a compiler whose settings stand outside of the archive',
    ["tsconfig.json(2,14): error TS5083: Cannot read file '/tsconfig.json'.", 'c.ts(1,1): error TS7006: any'],
    /TS5083/,
    /outside of the archive.*“root”/,
  ],
  [
    'a host that is out of reach',
    ['FetchError: request to https://fonts.example.com/css failed, reason: getaddrinfo ENOTFOUND fonts.example.com'],
    /fonts\.example\.com/,
    /It needs fonts\.example\.com, which this machine doesn’t reach/,
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
