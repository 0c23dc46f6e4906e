import { type DetectOptions, findSpots, type Spot } from './find.ts';
import type { Finding } from './finding.ts';
import { placeholder, type Replacement } from './redact.ts';
import { replaceSpots } from './replace.ts';
import { eventStream } from './stream/events.ts';

export interface MaskOptions extends DetectOptions {
  /**
   * `json`: documents keep valid, also several in one text, in strings and within prose; what is no JSON is text.
   * `text`: nothing is taken for JSON. `events`: a stream of lines, as of server-sent events.
   */
  format: 'json' | 'text' | 'events';
  replacement?: Replacement | undefined;
}

export interface Masked {
  text: string;
  /** Offsets are those of the text as it was given. */
  findings: Finding[];
}

/** Finds and replaces in one call. */
export function mask(text: string, options: MaskOptions): Masked {
  if (options.format === 'events') return maskEvents(text, options);
  const spots = findSpots(text, options, options.format === 'json');
  return { text: replaceSpots(text, spots, options.replacement ?? placeholder), findings: spots.map(findingOf) };
}

function maskEvents(text: string, options: MaskOptions): Masked {
  const findings: Finding[] = [];
  const stream = eventStream(options, (found) => findings.push(found));
  const masked = stream.push(text) + stream.end();
  return { text: masked, findings: findings.sort((a, b) => a.start - b.start) };
}

const findingOf = ({ type, start, end, score }: Spot): Finding => ({ type, start, end, score });
