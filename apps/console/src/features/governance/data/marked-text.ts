import type { PiiType } from '@paddock/contract/data-protection';

export interface Finding {
  type: PiiType;
  start: number;
  end: number;
}

export interface Piece {
  text: string;
  type: PiiType | null;
}

/** Splits a text at its findings. The first of overlapping findings stays whole; findings outside the text are dropped. */
export function splitAtFindings(text: string, findings: readonly Finding[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { type, start, end } of [...findings].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), type: null });
    pieces.push({ text: text.slice(start, end), type });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), type: null });
  return pieces;
}
