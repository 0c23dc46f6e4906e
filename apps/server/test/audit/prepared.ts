import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract';
import type { AuditWorld } from './world.ts';

export type Api = Client<typeof contract>;

/** A prepared call: `press` makes it as the caller of `api`, and returns its response. */
interface Prepared {
  press: (api: Api) => Promise<unknown>;
  /** The id that the record must name. */
  target: string | ((answer: never) => string) | RegExp;
}
export type Prepare = (w: AuditWorld) => Promise<Prepared>;
