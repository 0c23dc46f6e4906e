import type { Project } from '@paddock/contract';
import { filled } from '../../../api/filled.ts';

export type KeptSettings = Project['build_settings'] | undefined;

const fields = ['root', 'start', 'packages'] as const;
type Texts = Record<(typeof fields)[number], string>;

/** What stands in the fields; undefined where nobody has typed, so that the field shows what the project keeps. */
export type TypedSettings = { [Field in keyof Texts]: string | undefined } & {
  /** Undefined: as the project did so far. */
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

/** What an upload gives: nothing where nobody has changed anything, since the server uses what the project keeps. */
export function givenSettings(typed: TypedSettings, kept: KeptSettings): Partial<Texts> & { keep?: 'true' } {
  const { keep, ...texts } = shownSettings(typed, kept);
  if (isKept(texts, kept) && keep === Boolean(kept)) return {};
  return { ...filled(texts), ...(keep ? { keep: 'true' } : {}) };
}

/** What the project does with the fields; undefined where it keeps nothing so far. */
export function keptNote({ keep, ...texts }: ReturnType<typeof shownSettings>, kept: KeptSettings): string | undefined {
  if (!kept) return undefined;
  if (isKept(texts, kept)) return 'Kept for this project. Empty the fields to forget it.';
  const isEmpty = fields.every((field) => texts[field] === '');
  const { start, root, packages } = kept;
  const before = [start, root && `folder ${root}`, packages && `packages ${packages}`].filter(Boolean).join(', ');
  if (keep) return `${isEmpty ? 'Forgotten' : 'Replaced'} with this deployment: ${before}`;
  return isEmpty ? `Used nevertheless, because the project keeps it: ${before}` : `Still kept for later deployments: ${before}`;
}
