import { eventStream } from './events.ts';
import type { MaskStream, StreamOptions } from './stream.ts';
import { textStream } from './text.ts';

/** Masks what arrives in pieces: the same as `mask` on the whole, for values of up to 96 characters. Nothing undecided is passed on. */
export const maskStream = (options: StreamOptions): MaskStream =>
  options.format === 'events' ? eventStream(options) : textStream(options);
