import type { Seal } from './seal.ts';

/**
 * With what values become tokens: gateways, the receiver of spans and the collection of logs have the same key, so that the same value has the same token in
 * records, spans and lines. It tells nothing of the installation's secret.
 */
export const tokenKey = (seal: Pick<Seal, 'derive'>): Buffer => seal.derive('paddock pii tokens');
