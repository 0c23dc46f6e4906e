import type { DataProtectionSettings, PiiAction, PiiRule } from '@paddock/contract/data-protection';

type Traffic = PiiRule['traffic'];

export const actionWords = { mask: 'Mask', tokenise: 'Tokenise', block: 'Block', allow: 'Allow' } as const satisfies Record<
  PiiAction,
  string
>;

export const trafficWords = {
  none: 'What is stored',
  requests: 'Stored, and what the agent receives',
  answers: 'Stored, and what the caller gets',
  both: 'Stored, and both ways',
} as const satisfies Record<Traffic, string>;

/** Places where a block can apply: a body that is only stored cannot be refused. */
export const blockedWords = {
  requests: 'What the agent receives',
  answers: 'What the caller gets',
  both: 'Both ways',
} as const satisfies Partial<Record<Traffic, string>>;

const seenBy = {
  none: 'Agent and caller see the value itself.',
  requests: 'The agent never sees the value; answers pass unchanged.',
  answers: 'The caller never sees the value; the agent does.',
  both: 'Neither agent nor caller sees the value of the other.',
} as const satisfies Record<Traffic, string>;

const refused = {
  requests: 'A request with such a value gets 403; the agent never sees it.',
  answers: 'An answer with such a value is withheld; the caller gets 403 in its place.',
  both: 'A request with such a value gets 403, and an answer with one is withheld.',
} as const satisfies Record<keyof typeof blockedWords, string>;

/** The place where a rule applies. A block without a place applies to requests. */
export const placeOf = ({ action, traffic }: PiiRule): Traffic => (action === 'block' && traffic === 'none' ? 'requests' : traffic);

/** The consequence of a rule, as a sentence. */
export function consequence({ action, traffic }: PiiRule): string {
  if (action === 'allow') return 'Kept as it is everywhere, in the audit trail too.';
  if (action === 'block') return `${refused[traffic === 'none' ? 'requests' : traffic]} Stored with the type in its place.`;
  const stored =
    action === 'mask'
      ? 'Stored with the type in its place.'
      : 'Stored as a word that is the same for the same value, so that records can be compared.';
  return `${stored} ${seenBy[traffic]}`;
}

export const bodyOptions = [
  {
    id: 'redacted',
    label: 'All, redacted',
    hint: 'Every request and answer is on record with its body. Values of the types above are redacted first.',
  },
  { id: 'sampled', label: 'Some, redacted', hint: 'Every request and answer is on record, but only a share of them with its body.' },
  { id: 'none', label: 'None', hint: 'The facts alone: who, when, which path, how it ended. Nothing of what was said.' },
] as const satisfies readonly { id: DataProtectionSettings['bodies']; label: string; hint: string }[];

export const unrecordedOptions = [
  { id: 'refuse', label: 'Refuse', hint: 'Callers get 503 until recording works again. Nothing happens without a record.' },
  { id: 'serve', label: 'Serve on', hint: 'Agents go on answering. The gap itself is recorded afterwards, its requests are not.' },
] as const satisfies readonly { id: DataProtectionSettings['when_unrecorded']; label: string; hint: string }[];

export const overrunOptions = [
  { id: 'refuse', label: 'Refuse', hint: 'Where traffic is changed, such a body is answered with 403. No unscanned value gets through.' },
  {
    id: 'pass',
    label: 'Let it pass',
    hint: 'Such a body passes. What can be found in its bytes is masked, the rest is not. What is stored of it holds no body.',
  },
] as const satisfies readonly { id: DataProtectionSettings['on_overrun']; label: string; hint: string }[];

export const messages = {
  load: 'The settings could not be loaded. They are in force nevertheless.',
  projects: 'The list of projects could not be loaded.',
  save: 'The settings could not be saved. They stay as they were.',
} as const;
