import { type AttributeValue, isTechnical, isTechnicalName, type RawSpan } from '@paddock/otlp';
import type { Masker } from './masker.ts';

/** The replacement of texts that could not be scanned in time. */
const notScanned = '[not scanned]';
/** A text of this length that ends in a mark was truncated, possibly within a value: this many characters before the mark are dropped. */
const mayBeCut = 1_000;
const besideCut = 64;

type Attributes = Map<string, AttributeValue>;

/**
 * Masks the texts of a span that are stored for every project: its name, its status, attributes and events. Keys help to classify their values.
 * Names of models, agents, tools and services are only masked for values of unambiguous types.
 */
export function maskTexts(span: RawSpan, masker: Masker): void {
  const { technical, own } = divided(span.attributes);
  const events = span.events.map(({ name, attributes }) => [name, Object.fromEntries([...attributes].map(whole))]);
  const nameOfThing = isTechnicalName(span) ? span.name : undefined;
  if (nameOfThing !== undefined) span.name = masker.maskSureText(nameOfThing);
  const masked = masker.mask([nameOfThing === undefined ? span.name : '', whole(['', span.status_message])[1], own, events]);
  const maskedTechnical = masker.maskSure(technical);
  if (masked === undefined && maskedTechnical === undefined) return;
  if (masked !== undefined) {
    const [name, status_message, , maskedEvents] = masked as [string, string, object, [string, object][]];
    if (nameOfThing === undefined) span.name = name;
    span.status_message = status_message;
    for (const [at, event] of span.events.entries()) {
      event.name = maskedEvents[at]![0];
      event.attributes = new Map(Object.entries(maskedEvents[at]![1]));
    }
  }
  const attributes = { ...(maskedTechnical ?? technical), ...((masked as [string, string, object])?.[2] ?? own) };
  span.attributes = new Map(Object.entries(attributes));
}

/** Texts that could not be scanned are not stored. */
export function dropTexts(span: RawSpan): void {
  span.name = notScanned;
  if (span.status_message !== '') span.status_message = notScanned;
  span.dropped += dropFrom(span.attributes);
  for (const event of span.events) {
    event.name = notScanned;
    span.dropped += dropFrom(event.attributes);
  }
}

function dropFrom(attributes: Attributes): number {
  const before = attributes.size;
  const texts = [...attributes].filter(([, value]) => typeof value === 'string' || Array.isArray(value));
  for (const [name] of texts) attributes.delete(name);
  return before - attributes.size;
}

function divided(attributes: Attributes) {
  const technical: [string, AttributeValue][] = [];
  const own: [string, AttributeValue][] = [];
  for (const attribute of attributes) (isTechnical(attribute[0]) ? technical : own).push(whole(attribute));
  return { technical: Object.fromEntries(technical), own: Object.fromEntries(own) };
}

function whole([name, value]: [string, AttributeValue]): [string, AttributeValue] {
  const wasCut = typeof value === 'string' && value.length > mayBeCut && value.endsWith('…');
  return [name, wasCut ? `${value.slice(0, -1 - besideCut)}…` : value];
}
