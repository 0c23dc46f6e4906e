import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { type PiiType, piiTypes } from '@paddock/pii';

/** The rules for bodies that pass in one direction. */
export interface Direction {
  /** Types that are searched: those that are replaced, and those that are blocked. */
  types: ReadonlySet<PiiType>;
  blocked: readonly PiiType[];
  /** The searched types include all that may not be stored unchanged. */
  coversStored: boolean;
}

/** Undefined: bodies pass unchanged. A type that is blocked without a direction is blocked in requests. */
export function rulesFor({ rules }: DataProtectionSettings, way: 'requests' | 'answers'): Direction | undefined {
  const acts = (type: PiiType) => {
    const { action, traffic } = rules[type];
    if (action === 'allow') return false;
    if (action === 'block' && traffic === 'none') return way === 'requests';
    return traffic === way || traffic === 'both';
  };
  const types = piiTypes.filter(acts);
  if (types.length === 0) return undefined;
  return {
    types: new Set(types),
    blocked: types.filter((type) => rules[type].action === 'block'),
    coversStored: piiTypes.every((type) => types.includes(type)),
  };
}
