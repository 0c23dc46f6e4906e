import { beforeEach, expect, test } from 'vitest';
import { endSession, readSession, startSession, updateUser, watchSession } from './session.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada', plan: 'starter', email_verified: false };

beforeEach(() => endSession());

test('a remembered session outlives the browser, another ends with the tab', () => {
  startSession({ token: 'one', user }, true);
  expect([localStorage.getItem('paddock_token'), sessionStorage.getItem('paddock_token')]).toEqual(['one', null]);
  startSession({ token: 'two', user }, false);
  expect([localStorage.getItem('paddock_token'), sessionStorage.getItem('paddock_token')]).toEqual([null, 'two']);
});

test('ending it forgets the token and the person everywhere', () => {
  startSession({ token: 'one', user }, true);
  endSession();
  expect(readSession()).toBeNull();
  expect(localStorage.getItem('paddock_token')).toBeNull();
  expect(localStorage.getItem('paddock_user')).toBeNull();
});

test('a late answer to an older session does not end a newer one', () => {
  startSession({ token: 'new', user }, false);
  endSession('old');
  expect(readSession()?.token).toBe('new');
});

test('those who watch hear of a changed person', () => {
  startSession({ token: 'one', user }, false);
  const heard: (string | undefined)[] = [];
  const stop = watchSession(() => heard.push(readSession()?.user.name));
  updateUser({ ...user, name: 'Ada L.' });
  stop();
  expect(heard).toEqual(['Ada L.']);
  expect(sessionStorage.getItem('paddock_user')).toContain('Ada L.');
});
