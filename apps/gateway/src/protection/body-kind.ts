import { isParts, type MediaType } from '../bodies/media-type.ts';

/** How a body is held: as a whole, or as a stream of one of some forms. */
export type BodyKind = 'whole' | StreamKind;
/** `lines`: of events, of JSON. `parts`: of a form with files. `bytes`: said to be no text. */
export type StreamKind = 'lines' | 'text' | 'parts' | 'bytes';

/** More of it passes as a stream. */
const maxWhole = 256 * 1024;

export interface BodyHead {
  type: MediaType;
  /** Between the parts of a multipart body. */
  boundary: string | undefined;
  /** Empty without one. */
  encoding: string;
  /** -1 if nobody knows yet. */
  length: number;
  isRequest: boolean;
}

/** A type alone lets no body pass: it is its sender's to choose, so the bytes decide. */
export function bodyKind({ type: { essence }, encoding, length, isRequest }: BodyHead): BodyKind {
  if (isEncoded(encoding)) return 'whole';
  if (isLines(essence)) return 'lines';
  const isLong = length < 0 || length > maxWhole;
  if (isProse(essence)) return isLong ? 'text' : 'whole';
  if (isParts(essence)) return isLong ? 'parts' : 'whole';
  return isDeclaredText(essence) || isRequest || !isLong ? 'whole' : 'bytes';
}

/** Whether a body that cannot be read follows the project's `on_overrun`. Others are what their type says: no text. */
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
