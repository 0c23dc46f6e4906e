import { expect, test } from 'vitest';
import { signupProblems } from './signup-form.ts';

const good = { name: 'Ada', email: 'ada@example.org', password: 'long enough', confirm: 'long enough', terms: true };

test('a complete form has no problems', () => {
  expect(signupProblems(good)).toEqual({});
});

test('each missing piece is named in its own words', () => {
  expect(signupProblems({ ...good, password: 'short', confirm: 'other', terms: false })).toEqual({
    password: 'Password must be at least 8 characters',
    confirm: 'Passwords do not match',
    terms: 'You must accept the Terms of Service',
  });
});
