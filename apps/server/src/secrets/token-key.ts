import type { Seal } from './seal.ts';

/**
 * The installation's key of tokens. Gateways, the receiver of spans and the collection of logs derive each project's key from it
 * (`projectTokenKey`), so that a value has the same token in a project's records, spans and lines. It reveals nothing about the installation's
 * secret.
 */
export const tokenKey = (seal: Pick<Seal, 'derive'>): Buffer => seal.derive('paddock pii tokens');
