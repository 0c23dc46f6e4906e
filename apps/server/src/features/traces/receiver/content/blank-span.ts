import { type AttributeValue, bounds, type RawSpan } from '@paddock/otlp';
import type { Blanking } from '../../../../protection/agent-secrets/blanking.ts';

/** A text of this length may have been truncated by the parser, within a secret. */
const MAY_BE_CUT = 1_000;

/** Blanks an agent's secrets in each text of a span, in place: its name, its state, attributes, events and content. */
export function blankSpan(span: RawSpan, blanking: Blanking): void {
  span.name = blanking.text(span.name);
  span.status_message = blankedText(span.status_message, blanking);
  blankAttributes(span.attributes, blanking);
  blankAttributes(span.content, blanking);
  for (const event of span.events) {
    event.name = blanking.text(event.name);
    blankAttributes(event.attributes, blanking);
    blankAttributes(event.content, blanking);
  }
}

function blankAttributes(attributes: Map<string, AttributeValue>, blanking: Blanking): void {
  const blanked = <T>(value: T) => (typeof value === 'string' ? blankedText(value, blanking) : value);
  for (const [name, value] of attributes) attributes.set(name, Array.isArray(value) ? value.map(blanked) : blanked(value));
}

function blankedText(text: string, blanking: Blanking): string {
  if (text.length > MAY_BE_CUT && text.endsWith('…')) return `${blanking.beginning(text.slice(0, -1))}…`;
  return text.length >= bounds.content ? blanking.beginning(text) : blanking.text(text);
}
