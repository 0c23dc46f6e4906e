import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract';
import type { AuditWorld } from './world.ts';

export type Api = Client<typeof contract>;

/** Makes things ready; `press` makes the call, by whoever has `api`, and gives its answer. */
interface Prepared {
  press: (api: Api) => Promise<unknown>;
  /** The id of what the record is to name. */
  target: string | ((answer: never) => string) | RegExp;
}
export type Prepare = (w: AuditWorld) => Promise<Prepared>;
