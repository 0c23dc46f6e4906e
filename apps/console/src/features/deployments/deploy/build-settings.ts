import type { Project } from '@paddock/contract';
import { filled } from '../../../api/filled.ts';

export type KeptSettings = Project['build_settings'] | undefined;

/** What stands in the fields; undefined where nobody has typed, so that the field shows what the project keeps. */
export interface TypedSettings {
  root: string | undefined;
  start: string | undefined;
  /** Undefined: as the project did so far. */
  keep: boolean | undefined;
}

export const shownSettings = (typed: TypedSettings, kept: KeptSettings) => ({
  root: typed.root ?? kept?.root ?? '',
  start: typed.start ?? kept?.start ?? '',
  keep: typed.keep ?? Boolean(kept),
});

/** What an upload gives: nothing where nobody has changed anything, since the server uses what the project keeps. */
export function givenSettings(typed: TypedSettings, kept: KeptSettings): { root?: string; start?: string; keep?: 'true' } {
  const { root, start, keep } = shownSettings(typed, kept);
  const isKept = root === (kept?.root ?? '') && start === (kept?.start ?? '');
  if (isKept && keep === Boolean(kept)) return {};
  return { ...filled({ root, start }), ...(keep ? { keep: 'true' } : {}) };
}

/** What the project does with the fields; undefined where it keeps nothing so far. */
export function keptNote({ root, start, keep }: ReturnType<typeof shownSettings>, kept: KeptSettings): string | undefined {
  if (!kept) return undefined;
  if (root === (kept.root ?? '') && start === (kept.start ?? '')) return 'Kept for this project. Empty the fields to forget it.';
  const isEmpty = root === '' && start === '';
  const before = [kept.start, kept.root === undefined ? undefined : `folder ${kept.root}`].filter(Boolean).join(', ');
  if (keep) return `${isEmpty ? 'Forgotten' : 'Replaced'} with this deployment: ${before}`;
  return isEmpty ? `Used nevertheless, because the project keeps it: ${before}` : `Still kept for later deployments: ${before}`;
}
