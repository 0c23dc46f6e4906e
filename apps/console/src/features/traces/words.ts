import type { Span, Trace, TraceLosses } from '@paddock/contract';
import { countText, dollarText } from '@paddock/contract/figures';
import { plural } from '@paddock/contract/plural';
import type { Tone } from '../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';

export const statusLooks = {
  ok: { tone: 'success', glyph: 'tick', word: 'OK' },
  error: { tone: 'error', glyph: 'cross', word: 'Error' },
} as const satisfies Record<Trace['status'], { tone: Tone; glyph: GlyphName; word: string }>;

type Tokens = Pick<Span, 'input_tokens' | 'output_tokens'>;

/** '1.5K in, 64 out'; '–' if no call reported its tokens. */
export const tokensText = ({ input_tokens, output_tokens }: Tokens): string =>
  input_tokens === null && output_tokens === null ? '–' : `${countText(input_tokens)} in, ${countText(output_tokens)} out`;

/** Cost of a model call whose tokens are known. */
export const costText = (usd: number | null): string => (usd === null ? 'no price' : dollarText(usd));

const many = (count: number, one: string, more: string) => (count > 0 ? [plural(count, one, more)] : []);

/** The data that was not stored, as a sentence; null if nothing was lost. */
export function lostText({ spans, requests, content, unused }: TraceLosses): string | null {
  const parts = [
    ...many(spans, 'span (too many at once, or not valid)', 'spans (too many at once, or not valid)'),
    ...many(requests, 'refused request of the agent', 'refused requests of the agent'),
    ...many(content, 'attribute with a prompt or an answer', 'attributes with prompts and answers'),
    ...many(unused, 'request with metrics or logs', 'requests with metrics or logs'),
  ];
  return parts.length > 0 ? `Not stored in the last 24 hours: ${parts.join(', ')}.` : null;
}
