import { expect, test } from 'vitest';
import { hostileQueries } from '../../../../test/hostile-callbacks.ts';
import { isCliLogin, loopbackCallback } from './loopback-callback.ts';

const queryOf = (callback: string) => `?${new URLSearchParams({ cli: 'true', callback })}`;

test.each([
  ['http://127.0.0.1:50000/callback?state=aB3-_x', 'http://127.0.0.1:50000/callback', 'aB3-_x'],
  ['http://[::1]:50000/callback?state=x', 'http://[::1]:50000/callback', 'x'],
  ['http://localhost:1024/callback?state=x', 'http://localhost:1024/callback', 'x'],
  ['http://127.0.0.1:65535/callback', 'http://127.0.0.1:65535/callback', ''],
  ['http://127.0.0.1:50000', 'http://127.0.0.1:50000/', ''],
])('%s is a tool on this machine', (address, action, state) => {
  expect(loopbackCallback(queryOf(address))).toEqual({ callback: { action, state, shown: new URL(address).origin } });
});

test('at least 60 hostile callbacks are refused, each of them', () => {
  expect(hostileQueries.length).toBeGreaterThanOrEqual(60);
  expect(hostileQueries.filter((query) => !('problem' in loopbackCallback(query)))).toEqual([]);
});

test('whatever passes leads a browser to this machine and nowhere else', () => {
  const parts = [
    'http://',
    '127.0.0.1',
    '[::1]',
    'localhost',
    ':',
    '50000',
    '/',
    '\\',
    '@',
    '.',
    '%2e',
    'evil.example',
    '?state=x',
    '#',
    'callback',
    '0',
    ' ',
  ];
  let passed = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const length = 1 + Math.floor(Math.random() * 7);
    const address = Array.from({ length }, () => parts[Math.floor(Math.random() * parts.length)]).join('');
    const found = loopbackCallback(queryOf(round % 2 ? `http://127.0.0.1:50000${address}` : address));
    if (!('callback' in found)) continue;
    passed += 1;
    const url = new URL(found.callback.action);
    expect([url.protocol, ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname), url.username, url.search, url.hash]).toEqual([
      'http:',
      true,
      '',
      '',
      '',
    ]);
    expect(Number(url.port)).toBeGreaterThanOrEqual(1024);
  }
  expect(passed).toBeGreaterThan(0);
});

test('without a callback nothing waits, and only cli=true asks for the mode', () => {
  expect(loopbackCallback('?cli=true')).toEqual({ problem: 'missing' });
  expect(loopbackCallback('?cli=true&callback=')).toEqual({ problem: 'missing' });
  expect(['?cli=true', '?cli=1', '?cli=false', '', '?client=true'].map(isCliLogin)).toEqual([true, false, false, false, false]);
});
