import { type DetectOptions, findSpots, type Spot } from './find.ts';
import type { Finding } from './finding.ts';
import { placeholder, type Replacement } from './redact.ts';
import { replaceSpots } from './replace.ts';
import { eventStream } from './stream/events.ts';

export interface MaskOptions extends DetectOptions {
  /**
   * `json`: keeps documents valid, also several in one text, in strings and within prose; the rest is text. `text`: treats nothing as JSON.
   * `events`: a stream of lines, such as server-sent events.
   */
  format: 'json' | 'text' | 'events';
  replacement?: Replacement | undefined;
}

export interface Masked {
  text: string;
  /** Offsets refer to the original text. */
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
