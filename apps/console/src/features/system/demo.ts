import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract/routes';
import { answer, until } from '../../demo/answering.ts';
import type { DemoWorld } from '../../demo/demo-world.ts';

const longPollMs = 25_000;

export function demoSystem(world: DemoWorld): Client<typeof contract>['system'] {
  return {
    get: (_input, options) =>
      answer(
        () => ({
          version: 'demo',
          isolated: true,
          runtime_problem: null,
          agent_domain: 'demo.example',
          database_problems: { postgresql: null, redis: null },
          recording_problem: null,
        }),
        options,
      ),
    changes: ({ after = 0 } = {}, { signal } = {}) =>
      until(world, () => world.version() > after, { ms: longPollMs, signal }).then(() => ({ version: world.version() })),
  };
}
