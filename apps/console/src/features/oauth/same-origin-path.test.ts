import { expect, test } from 'vitest';
import { sameOriginPath } from './same-origin-path.ts';

const origin = location.origin;
const lead = (given: string) => new URL(given, `${origin}/auth/callback/google`).origin;

test('a path of the console is kept as it is', () => {
  for (const path of [
    '/dashboard',
    '/login?cli=true&callback=http://127.0.0.1:49152/callback?state=x%26y',
    '/settings?tab=profile#linked',
    '/',
  ])
    expect(sameOriginPath(path, origin)).toBe(path);
});

test('whatever leads elsewhere, or is no path, is dropped', () => {
  const hostile = [
    ...[
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '\t//evil.example',
    ],
    ...['https://evil.example', 'http:evil.example', 'javascript:alert(1)', 'data:text/html,x', 'blob:x', ' /dashboard', 'dashboard', ''],
    ...['/.//evil.example', '/..//evil.example', '/x/..//evil.example', '/%2e//evil.example', '/./\\evil.example', '/\u0000', '/\r\nx: y'],
    ...[undefined, null, 7, {}, ['/dashboard'], `/${'x'.repeat(5000)}`],
  ];
  for (const given of hostile) expect(sameOriginPath(given, origin), JSON.stringify(given)).toBeUndefined();
});

test('of two hundred thousand made-up addresses none leads to another origin', () => {
  const parts = [
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    '?',
    '#',
    '%2f',
    '%5c',
    '%00',
    '\t',
    '\n',
    '\r',
    ' ',
    'evil.example',
    'https:',
    'javascript:',
    '[::1]',
    'ａ',
    '。',
    '\u202e',
    '%2e',
    'x',
  ];
  let seed = 20_261_121;
  const next = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % most;
  };
  let kept = 0;
  for (let round = 0; round < 200_000; round++) {
    const given = (round % 2 ? '/' : '') + Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join('');
    const path = sameOriginPath(given, origin);
    if (path === undefined) continue;
    kept += 1;
    if (lead(path) !== origin || !path.startsWith('/')) expect.fail(`${JSON.stringify(given)} leads to ${path}`);
  }
  expect(kept).toBeGreaterThan(10_000);
});
