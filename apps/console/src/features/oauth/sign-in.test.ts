import { beforeEach, expect, test } from 'vitest';
import type { CallbackAnswer } from './callback-answer.ts';
import { keepHandover, takeHandover } from './handover.ts';
import { takeReturned } from './sign-in.ts';

const answer = (more: Partial<CallbackAnswer> = {}): CallbackAnswer => ({
  code: 'c',
  state: 's',
  error: null,
  iss: null,
  provider: 'google',
  ...more,
});
beforeEach(() => {
  sessionStorage.clear();
  keepHandover('google', { state: 's', purpose: 'sign-in', remember: true, next: '/login?cli=true' });
});

test('what came back is told from what should not have, in the words of the product', () => {
  const cases: [Partial<CallbackAnswer>, string][] = [
    [{ error: 'access_denied' }, 'OAuth failed: access_denied'],
    [{ error: 'access_denied', code: null, state: null, provider: null }, 'OAuth failed: access_denied'],
    [{ code: null }, 'Missing OAuth parameters'],
    [{ state: '' }, 'Missing OAuth parameters'],
    [{ provider: null }, 'Unknown OAuth provider'],
    [{ provider: 'toString' }, 'Unknown OAuth provider'],
    [{ state: 'other' }, 'Invalid OAuth state (CSRF protection)'],
    [{ provider: 'github' }, 'Invalid OAuth state (CSRF protection)'],
  ];
  for (const [change, message] of cases) {
    keepHandover('google', { state: 's', purpose: 'sign-in', remember: true });
    expect(() => takeReturned(answer(change))).toThrow(message);
  }
});

test('the kept state works once, and a wrong answer spends it', () => {
  expect(takeReturned(answer())).toMatchObject({
    provider: 'google',
    code: 'c',
    remember: true,
    purpose: 'sign-in',
    next: '/login?cli=true',
  });
  expect(() => takeReturned(answer())).toThrow('Invalid OAuth state (CSRF protection)');
  keepHandover('google', { state: 's', purpose: 'sign-in', remember: false });
  expect(() => takeReturned(answer({ state: 'forged' }))).toThrow();
  expect(() => takeReturned(answer())).toThrow('Invalid OAuth state (CSRF protection)');
});

test('what somebody else wrote into the storage is not believed', () => {
  for (const text of ['', '7', '[]', '{"state":""}', '{"state":"s","purpose":"take over"}', '{"state":{"a":1},"purpose":"link"}', '{']) {
    sessionStorage.setItem('paddock_oauth_google', text);
    expect(takeHandover('google'), text).toBeUndefined();
  }
  sessionStorage.setItem('paddock_oauth_google', '{"state":"s","purpose":"link","next":"//evil.example"}');
  expect(takeHandover('google')).toEqual({ state: 's', purpose: 'link', remember: false, next: undefined });
});
