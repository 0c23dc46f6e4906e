import { isParts, type MediaType } from '../bodies/media-type.ts';

/** How a body is held: whole, or as a stream of one of these forms. */
export type BodyKind = 'whole' | StreamKind;
/** `lines`: events or JSON lines. `parts`: a multipart form. `bytes`: declared as binary. */
export type StreamKind = 'lines' | 'text' | 'parts' | 'bytes';

/** Larger bodies pass as a stream. */
const maxWhole = 256 * 1024;

export interface BodyHead {
  type: MediaType;
  /** The boundary of a multipart body. */
  boundary: string | undefined;
  /** Content encoding; empty without one. */
  encoding: string;
  /** -1 if unknown. */
  length: number;
  isRequest: boolean;
}

/** Chooses how to hold a body. No declared type exempts a body from the scan, because the sender chooses it. */
export function bodyKind({ type: { essence }, encoding, length, isRequest }: BodyHead): BodyKind {
  if (isEncoded(encoding)) return 'whole';
  if (isLines(essence)) return 'lines';
  const isLong = length < 0 || length > maxWhole;
  if (isProse(essence)) return isLong ? 'text' : 'whole';
  if (isParts(essence)) return isLong ? 'parts' : 'whole';
  return isDeclaredText(essence) || isRequest || !isLong ? 'whole' : 'bytes';
}

/** Whether an unreadable body is handled by the project's `on_overrun`. Other bodies are declared as binary. */
export const mustBeReadable = ({ type: { essence }, isRequest }: BodyHead): boolean => isRequest || isDeclaredText(essence);

export const isEncoded = (encoding: string): boolean => encoding !== '' && encoding !== 'identity';

const isLines = (essence: string) =>
  /^(?:text\/event-stream|application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-seq|stream\+json))$/.test(essence);
const isProse = (essence: string) => essence.startsWith('text/');
export const isDeclaredText = (essence: string): boolean =>
  essence === '' ||
  isProse(essence) ||
  isLines(essence) ||
  /^application\/(?:json|[\w.-]+\+json|xml|[\w.-]+\+xml|graphql|javascript|x-www-form-urlencoded)$/.test(essence);
