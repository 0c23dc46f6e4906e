import type { Client } from '@paddock/client';
import type { AuditLog } from '@paddock/contract';
import type { contract } from '@paddock/contract/routes';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { demoPersonalData } from './personal-data.ts';
import { demoTrail } from './trail.ts';

/** Governance of the demo: sample records, consistent figures, and settings that last until reload. */
export function demoGovernance(world: DemoWorld, records: readonly AuditLog[]): Client<typeof contract>['governance'] {
  const now = Date.now();
  return { ...demoTrail(records, now), ...demoPersonalData(world, records, now) };
}
