import type { Project } from '@paddock/contract';
import { filled } from '../../../api/filled.ts';

export type KeptSettings = Project['build_settings'] | undefined;

const fields = ['root', 'start', 'packages'] as const;
type Texts = Record<(typeof fields)[number], string>;

/** Typed values of the fields; undefined for an untouched field, which shows the project's stored value. */
export type TypedSettings = { [Field in keyof Texts]: string | undefined } & {
  /** Undefined: as stored for the project. */
  keep: boolean | undefined;
};

export const untyped: TypedSettings = { root: undefined, start: undefined, packages: undefined, keep: undefined };

export const shownSettings = (typed: TypedSettings, kept: KeptSettings) => ({
  root: typed.root ?? kept?.root ?? '',
  start: typed.start ?? kept?.start ?? '',
  packages: typed.packages ?? kept?.packages ?? '',
  keep: typed.keep ?? Boolean(kept),
});

const isKept = (shown: Texts, kept: KeptSettings) => fields.every((field) => shown[field] === (kept?.[field] ?? ''));

/** The settings sent with an upload: none if nothing was changed, since the server uses those stored for the project. */
export function givenSettings(typed: TypedSettings, kept: KeptSettings): Partial<Texts> & { keep?: 'true' } {
  const { keep, ...texts } = shownSettings(typed, kept);
  if (isKept(texts, kept) && keep === Boolean(kept)) return {};
  return { ...filled(texts), ...(keep ? { keep: 'true' } : {}) };
}

/** Explains the effect on the stored settings; undefined if none are stored. */
export function keptNote({ keep, ...texts }: ReturnType<typeof shownSettings>, kept: KeptSettings): string | undefined {
  if (!kept) return undefined;
  if (isKept(texts, kept)) return 'Saved for this project. Clear the fields to remove them.';
  const isEmpty = fields.every((field) => texts[field] === '');
  const { start, root, packages } = kept;
  const before = [start, root && `folder ${root}`, packages && `packages ${packages}`].filter(Boolean).join(', ');
  if (keep) return `${isEmpty ? 'Removed' : 'Replaced'} with this deployment: ${before}`;
  return isEmpty ? `Still used, because it is saved for the project: ${before}` : `Still saved for later deployments: ${before}`;
}
