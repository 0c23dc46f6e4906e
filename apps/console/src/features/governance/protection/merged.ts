import type { DataProtectionSettings, PiiType } from '@paddock/contract/data-protection';
import { piiTypes } from '@paddock/contract/data-protection';

interface Versions {
  before: DataProtectionSettings;
  after: DataProtectionSettings;
  now: DataProtectionSettings;
}

/** The current settings with the changes from `before` to `after` applied. Rules are merged one by one. */
export function merged({ before, after, now }: Versions): DataProtectionSettings {
  const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name as keyof typeof before])));
  const rules = Object.fromEntries(
    piiTypes.map((type) => [type, same(before.rules[type], after.rules[type]) ? now.rules[type] : after.rules[type]]),
  ) as Record<PiiType, DataProtectionSettings['rules'][PiiType]>;
  return { ...now, ...changed, rules };
}

export const sameSettings = (a: DataProtectionSettings, b: DataProtectionSettings) => same(merged({ before: a, after: b, now: a }), a);

/** Compares plain values and small objects of them; the order of members is ignored. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [mine, theirs] = [Object.entries(a), b as Record<string, unknown>];
  return mine.length === Object.keys(b).length && mine.every(([name, value]) => same(value, theirs[name]));
}
