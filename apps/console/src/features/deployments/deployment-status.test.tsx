import type { Deployment } from '@paddock/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DeploymentStatus } from './DeploymentStatus.tsx';

const textOf = (told: Partial<Deployment>) => {
  const deployment = { status: 'active', restarts: 0, ...told } as Deployment;
  return renderToStaticMarkup(<DeploymentStatus deployment={deployment} />).replace(/<[^>]*>/g, '');
};

test('only an agent that waits for its restart is shown as restarting, also by a server that does not tell of restarts', () => {
  expect(textOf({ restart_at: '2026-11-20T12:00:00.000Z' })).toBe('Restarting');
  expect(textOf({ restart_at: null })).toBe('Active');
  expect(textOf({})).toBe('Active');
  expect(textOf({ status: 'stopped' })).toBe('Stopped');
});
