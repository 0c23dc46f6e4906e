import { expect, test } from 'vitest';
import { managedLacks } from './managed-lacks.ts';

const lack = { reason: 'There is no redis-server.', remedy: 'apt-get install redis-server' };

test('where everything can be had, and while nothing is known, nothing is said', () => {
  expect(managedLacks(undefined)).toBeNull();
  expect(managedLacks({ postgresql: null, redis: null })).toBeNull();
});

test('one missing type is named with its reason and remedy, and that a new deployment is refused', () => {
  expect(managedLacks({ postgresql: null, redis: lack })).toEqual({
    title: 'Managed Redis is not available on this installation.',
    details: ['There is no redis-server. apt-get install redis-server'],
    outcome: 'Deployments with managed databases are refused before the build, unless their environment already has them.',
  });
});

test('with both missing the refusal is announced', () => {
  const lacks = managedLacks({ postgresql: lack, redis: lack });
  expect(lacks?.title).toBe('Managed PostgreSQL and Redis are not available on this installation.');
  expect(lacks?.details).toHaveLength(2);
  expect(lacks?.outcome).toMatch(/refused/);
});
