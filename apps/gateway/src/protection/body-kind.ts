import { isBinary, type MediaType } from '../bodies/media-type.ts';

/** How a body is looked at: as a whole, as a stream of one of three forms, or not at all. */
export type BodyKind = 'whole' | 'events' | 'lines' | 'text' | 'binary';

/** More of it passes as a stream. */
const maxWholeText = 256 * 1024;

export interface BodyHead {
  type: MediaType;
  /** Empty without one. */
  encoding: string;
  /** -1 if nobody knows yet. */
  length: number;
  isRequest: boolean;
}

/** What is said to be no text passes, but a request: what its head says is the visitor's to choose, so its bytes decide. */
export function bodyKind({ type: { essence }, encoding, length, isRequest }: BodyHead): BodyKind {
  if (isBinary(essence)) return 'binary';
  if (encoding !== '' && encoding !== 'identity') return isText(essence) || isRequest ? 'whole' : 'binary';
  if (essence === 'text/event-stream') return 'events';
  if (isLines(essence)) return 'lines';
  if (isProse(essence)) return length < 0 || length > maxWholeText ? 'text' : 'whole';
  return isText(essence) || isRequest ? 'whole' : 'binary';
}

const isLines = (essence: string) => /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-seq)$/.test(essence);
const isProse = (essence: string) => essence.startsWith('text/');
const isText = (essence: string) =>
  essence === '' ||
  isProse(essence) ||
  isLines(essence) ||
  /^application\/(?:json|[\w.-]+\+json|xml|[\w.-]+\+xml|graphql|javascript|x-www-form-urlencoded)$/.test(essence);
