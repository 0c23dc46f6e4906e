import { eventStream } from './events.ts';
import type { MaskStream, StreamOptions } from './stream.ts';
import { textStream } from './text.ts';

/** Masks text that arrives in pieces. Equal to `mask` on the whole text for values of up to 96 characters. Undecided text is held back. */
export const maskStream = (options: StreamOptions): MaskStream =>
  options.format === 'events' ? eventStream(options) : textStream(options);
