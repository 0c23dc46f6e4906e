import { storedRedacted } from '@paddock/contract/data-protection';
import { projectTokenKey } from '@paddock/pii/tokenise';
import type { PiiType } from '@paddock/pii/types';
import type { Protection } from './settings-store.ts';

/** Which values are replaced in stored texts, and how; plain data that can be posted to a thread. */
export interface Masking {
  types: PiiType[];
  /** Types whose values become tokens: the same token for the same value. */
  tokenised: PiiType[];
  /** Key of the project's tokens. */
  key: Uint8Array;
}

export type TypeCounts = Partial<Record<PiiType, number>>;

export function resolveMasking(
  { settings, project_id }: Pick<Protection, 'settings' | 'project_id'>,
  installationKey: Uint8Array,
): Masking {
  const types = storedRedacted(settings);
  const tokenised = types.filter((type) => settings.rules[type].action === 'tokenise');
  return { types, tokenised, key: projectTokenKey(installationKey, project_id) };
}

export function addFound(counts: TypeCounts, found: readonly { type: PiiType }[]): void {
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1;
}

export const totalOf = (counts: TypeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
