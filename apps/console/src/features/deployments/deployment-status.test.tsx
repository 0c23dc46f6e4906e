import type { Deployment } from '@paddock/contract';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { DeploymentStatus } from './DeploymentStatus.tsx';

async function textOf(told: Partial<Deployment>): Promise<string | null> {
  const screen = await render(<DeploymentStatus deployment={{ status: 'active', restarts: 0, ...told } as Deployment} />);
  const text = screen.container.textContent;
  await screen.unmount();
  return text;
}

test('only an agent that waits for its restart is shown as restarting, also by a server that does not tell of restarts', async () => {
  expect(await textOf({ restart_at: '2026-11-20T12:00:00.000Z' })).toBe('Restarting');
  expect(await textOf({ restart_at: null })).toBe('Active');
  expect(await textOf({})).toBe('Active');
  expect(await textOf({ status: 'stopped' })).toBe('Stopped');
});
