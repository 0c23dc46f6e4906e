import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { type PiiType, piiTypes } from '@paddock/pii';

/** What is done with the bodies that pass in one direction. */
export interface Direction {
  /** Types that are looked for: those that are replaced, and those that are not let through. */
  types: ReadonlySet<PiiType>;
  blocked: readonly PiiType[];
  /** What is looked for is all that may not be stored as it is. */
  coversStored: boolean;
}

/** Undefined: bodies pass as they are. A type that is blocked without saying where is blocked in requests. */
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
