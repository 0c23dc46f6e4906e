import { isParts, type MediaType } from '../bodies/media-type.ts';

/** How a body is held: as a whole, or as one of several kinds of streams. */
export type BodyKind = 'whole' | StreamKind;
/** `lines`: events or lines of JSON. `parts`: a form with files. `bytes`: declared as binary. */
export type StreamKind = 'lines' | 'text' | 'parts' | 'bytes';

/** A larger body passes as a stream. */
const maxWhole = 256 * 1024;

export interface BodyHead {
  type: MediaType;
  /** The delimiter between the parts of a multipart body. */
  boundary: string | undefined;
  /** Empty without one. */
  encoding: string;
  /** -1 if it is not known yet. */
  length: number;
  isRequest: boolean;
}

/** The declared type alone lets no body pass: the sender chooses it, so the bytes decide. */
export function bodyKind({ type: { essence }, encoding, length, isRequest }: BodyHead): BodyKind {
  if (isEncoded(encoding)) return 'whole';
  if (isLines(essence)) return 'lines';
  const isLong = length < 0 || length > maxWhole;
  if (isProse(essence)) return isLong ? 'text' : 'whole';
  if (isParts(essence)) return isLong ? 'parts' : 'whole';
  return isDeclaredText(essence) || isRequest || !isLong ? 'whole' : 'bytes';
}

/** Whether an unreadable body follows the project's `on_overrun`. Others are binary, as their type declares. */
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
