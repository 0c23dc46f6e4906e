import { colouredText, plainText } from '@paddock/contract/terminal-text';
import Anser from 'anser';
import type { TraceRange } from './trace-ids.ts';

export { plainText };

export interface Span {
  text: string;
  color?: string;
  background?: string;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strikethrough?: true;
  /** The trace id, if the text is one. */
  traceId?: string;
}

/** Splits a line into runs of equal colour. Their joined texts equal `plainText(message)`. */
export function parseAnsiSpans(message: string): Span[] {
  const folded = colouredText(message);
  if (!folded.includes('\x1b')) return [{ text: folded }];
  return Anser.ansiToJson(folded, { json: true, use_classes: true, remove_empty: true }).map(toSpan);
}

function toSpan(entry: Anser.AnserJsonEntry): Span {
  const span: Span = { text: entry.content };
  const isReversed = entry.decorations.includes('reverse');
  const front = isReversed ? entry.bg : entry.fg;
  const back = isReversed ? entry.fg : entry.bg;
  const color = front && foreground(front, isReversed ? entry.bg_truecolor : entry.fg_truecolor);
  const ground = back && background(back, isReversed ? entry.fg_truecolor : entry.bg_truecolor);
  if (color) span.color = color;
  if (ground) span.background = ground;
  if (isReversed && !ground) span.background = 'var(--border)';
  for (const name of ['bold', 'dim', 'italic', 'underline', 'strikethrough'] as const)
    if (entry.decorations.includes(name)) span[name] = true;
  return span;
}

/** The eight colours as theme tokens, readable on both backgrounds; the bright colours share them. */
const tokens: Record<string, string> = {
  black: 'var(--muted)',
  red: 'var(--error-fg)',
  green: 'var(--success-fg)',
  yellow: 'var(--warning-fg)',
  blue: 'var(--info-fg)',
  magenta: 'light-dark(oklch(0.45 0.14 330), oklch(0.79 0.11 330))',
  cyan: 'var(--accent)',
  white: 'var(--text)',
};
const grounds: Record<string, string> = {
  black: 'var(--neutral-bg)',
  red: 'var(--error-bg)',
  green: 'var(--success-bg)',
  yellow: 'var(--warning-bg)',
  blue: 'var(--info-bg)',
  magenta: 'light-dark(oklch(0.93 0.03 330), oklch(0.31 0.06 330))',
  cyan: 'var(--accent-soft)',
  white: 'var(--border)',
};

// Custom colours keep their hue; their lightness is clamped, so that text stays readable on the theme's background.
const foreground = (name: string, rgb: string) =>
  tokens[named(name)] ?? within(name, rgb, (c) => `light-dark(oklch(from ${c} min(l, 0.5) c h), oklch(from ${c} max(l, 0.76) c h))`);
const background = (name: string, rgb: string) =>
  grounds[named(name)] ??
  within(name, rgb, (c) => `light-dark(oklch(from ${c} 0.93 min(c, 0.05) h), oklch(from ${c} 0.31 min(c, 0.06) h))`);

const named = (name: string) => name.replace(/^ansi-(bright-)?/, '');

function within(name: string, rgb: string, style: (color: string) => string): string | undefined {
  if (name === 'ansi-truecolor') return /^\d+, ?\d+, ?\d+$/.test(rgb) ? style(`rgb(${rgb})`) : undefined;
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  return index === undefined ? undefined : style(paletteColor(Number(index)));
}

/** The xterm palette from 16 on: a 6×6×6 cube, then 24 greys. */
function paletteColor(index: number): string {
  if (index >= 232) return grey(8 + (index - 232) * 10);
  const step = (share: number) => (share === 0 ? 0 : 55 + share * 40);
  const at = Math.max(0, index - 16);
  return `rgb(${step(Math.floor(at / 36))}, ${step(Math.floor(at / 6) % 6)}, ${step(at % 6)})`;
}
const grey = (value: number) => `rgb(${value}, ${value}, ${value})`;

/** Splits spans at the borders of the matched ranges, so that each piece is wholly inside or outside a range. */
export const markSpans = (spans: Span[], ranges: readonly (readonly [start: number, end: number])[]): Piece[] =>
  cutSpans<Piece>(spans, ranges, () => ({ isMatch: true }));

/** Splits spans at the trace ids in a line. */
export const linkSpans = (spans: Span[], traces: readonly TraceRange[]): Span[] =>
  cutSpans<Span>(
    spans,
    traces.map(({ start, end }) => [start, end]),
    (index) => ({ traceId: traces[index]?.traceId ?? '' }),
  );

type Piece = Span & { isMatch?: true };

function cutSpans<Cut extends Span>(
  spans: readonly Span[],
  ranges: readonly (readonly [start: number, end: number])[],
  mark: (index: number) => Partial<Cut>,
): Cut[] {
  if (ranges.length === 0) return spans as Cut[];
  const pieces: Span[] = [];
  let offset = 0;
  for (const span of spans) {
    let at = 0;
    for (const [index, [start, end]] of ranges.entries()) {
      const from = Math.min(Math.max(start - offset, at), span.text.length);
      const to = Math.min(end - offset, span.text.length);
      if (to <= from) continue;
      if (from > at) pieces.push({ ...span, text: span.text.slice(at, from) });
      pieces.push({ ...span, text: span.text.slice(from, to), ...mark(index) });
      at = to;
    }
    if (at < span.text.length) pieces.push({ ...span, text: span.text.slice(at) });
    offset += span.text.length;
  }
  return pieces as Cut[];
}
