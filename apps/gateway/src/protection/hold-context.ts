import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import type { PiiType } from '@paddock/pii';
import type { ExchangeRecord } from '../audit/records/exchange-record.ts';
import type { Exchange } from '../taps/tap.ts';
import type { Direction } from './direction.ts';
import type { Scanner } from './scanner.ts';

export interface ProtectionDeps {
  scanner: Scanner;
  /** Key of the project's tokens; without one values are masked. */
  tokenKey: Uint8Array | undefined;
  /** Undefined if the exchange is not recorded. */
  recordOf: (exchange: Exchange) => ExchangeRecord | undefined;
}

/** Everything that the hold of one direction needs. */
export interface HoldContext extends ProtectionDeps {
  direction: Direction;
  settings: DataProtectionSettings;
  tokenised: PiiType[];
  way: 'request' | 'answer';
}
