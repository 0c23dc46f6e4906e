import type { DataProtectionSettings, PiiAction, PiiRule } from '@paddock/contract/data-protection';

type Traffic = PiiRule['traffic'];

export const actionWords = { mask: 'Mask', tokenise: 'Tokenise', block: 'Block', allow: 'Allow' } as const satisfies Record<
  PiiAction,
  string
>;

export const trafficWords = {
  none: 'Stored data',
  requests: 'Stored data and requests',
  answers: 'Stored data and responses',
  both: 'Stored data, requests and responses',
} as const satisfies Record<Traffic, string>;

/** Places where a block can apply: a body that is only stored cannot be refused. */
export const blockedWords = {
  requests: 'Requests',
  answers: 'Responses',
  both: 'Requests and responses',
} as const satisfies Partial<Record<Traffic, string>>;

const seenBy = {
  none: 'Agent and caller see the original value.',
  requests: 'The value is removed from requests, so the agent never sees it; responses pass unchanged.',
  answers: 'The value is removed from responses; the agent still sees it.',
  both: 'The value is removed from requests and responses, in both directions.',
} as const satisfies Record<Traffic, string>;

const refused = {
  requests: 'A request containing such a value is refused with 403; the agent never sees it.',
  answers: 'A response containing such a value is withheld; the caller gets 403 instead.',
  both: 'A request containing such a value is refused with 403, and a response containing one is withheld.',
} as const satisfies Record<keyof typeof blockedWords, string>;

/** The place where a rule applies. A block without a place applies to requests. */
export const placeOf = ({ action, traffic }: PiiRule): Traffic => (action === 'block' && traffic === 'none' ? 'requests' : traffic);

/** The consequence of a rule, as a sentence. */
export function consequence({ action, traffic }: PiiRule): string {
  if (action === 'allow') return 'Kept unchanged everywhere, including the audit trail.';
  if (action === 'block') return `${refused[traffic === 'none' ? 'requests' : traffic]} Stored with the type in place of the value.`;
  const stored =
    action === 'mask'
      ? 'Stored with the type in place of the value.'
      : 'Stored as a token that is the same for equal values, so that records can be compared.';
  return `${stored} ${seenBy[traffic]}`;
}

export const bodyOptions = [
  {
    id: 'redacted',
    label: 'All, redacted',
    hint: 'Every request and response is recorded with its body. Values of the types above are redacted first.',
  },
  { id: 'sampled', label: 'Some, redacted', hint: 'Every request and response is recorded, but only a share of them with the body.' },
  { id: 'none', label: 'None', hint: 'Only the facts: who, when, which path and the outcome. No content.' },
] as const satisfies readonly { id: DataProtectionSettings['bodies']; label: string; hint: string }[];

export const unrecordedOptions = [
  { id: 'refuse', label: 'Refuse', hint: 'Callers get 503 until recording works again. No request goes unrecorded.' },
  { id: 'serve', label: 'Keep serving', hint: 'Agents keep responding. The gap is recorded afterwards, but its requests are not.' },
] as const satisfies readonly { id: DataProtectionSettings['when_unrecorded']; label: string; hint: string }[];

export const overrunOptions = [
  { id: 'refuse', label: 'Refuse', hint: 'Where traffic is changed, such a body is refused with 403. No unscanned value gets through.' },
  {
    id: 'pass',
    label: 'Let it pass',
    hint: 'Such a body passes. Values found in its bytes are masked; others are not. The body is not stored.',
  },
] as const satisfies readonly { id: DataProtectionSettings['on_overrun']; label: string; hint: string }[];

export const messages = {
  load: 'The settings could not be loaded. They are still in force.',
  projects: 'The list of projects could not be loaded.',
  save: 'The settings could not be saved. They are unchanged.',
} as const;
