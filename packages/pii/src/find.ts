// Finds values in a whole text, which may contain JSON, and remembers them if the caller wants that.

import { splitSequences } from './controls.ts';
import { findInText, USUAL_SCORE, type Wanted } from './find-in-text.ts';
import type { Finding } from './finding.ts';
import type { Known } from './known.ts';
import { withoutOverlaps } from './overlaps.ts';
import { type Piece, splitPieces, toWhole, wholePiece } from './pieces.ts';
import type { PiiType } from './types.ts';

export interface DetectOptions {
  /** All types if absent. */
  types?: ReadonlySet<PiiType> | undefined;
  /** 0.5 if absent. */
  minScore?: number | undefined;
  /** Values found before, which are found again wherever they occur. New findings are added. */
  known?: Known | undefined;
}

/** A finding with the data that its mask needs to keep JSON valid. */
export interface Spot extends Finding {
  /** The value without invisible characters. */
  value: string;
  /** Escape sequences of a terminal within the value. They are written after its mask. */
  sequences: string;
  isBare: boolean;
  levels: number;
}

/** Types of values that a JSON key may contain. */
const IN_KEYS: ReadonlySet<PiiType> = new Set(['Email', 'Phone', 'SSN', 'Credit Card', 'IP Address']);

/** The values in a text, ascending and without overlaps. */
export function findSpots(text: string, options: DetectOptions, mayBeJson: boolean): Spot[] {
  return findInPieces(mayBeJson ? splitPieces(text) : [wholePiece(text)], options);
}

/** The same for a text that is already split. */
export function findInPieces(pieces: readonly Piece[], options: DetectOptions): Spot[] {
  const wanted: Wanted = { types: options.types, minScore: options.minScore ?? USUAL_SCORE };
  const { known } = options;
  const spots: Spot[] = [];
  if (!known) {
    for (const piece of pieces) for (const one of findInPiece(piece, wanted)) spots.push(toSpot(piece, one));
    return spots;
  }
  const found = pieces.map((piece) => findInPiece(piece, wanted));
  for (const [at, findings] of found.entries())
    for (const one of findings) known.add(one.type, splitSequences(pieces[at]!.text.slice(one.start, one.end)).shown);
  for (const [at, findings] of found.entries()) {
    const piece = pieces[at]!;
    const again = known.find(piece.text).filter(({ type }) => wanted.types === undefined || wanted.types.has(type));
    for (const one of again.length > 0 ? withoutOverlaps([...findings, ...again]) : findings) spots.push(toSpot(piece, one));
  }
  return spots;
}

function findInPiece(piece: Piece, wanted: Wanted): Finding[] {
  if (!piece.isKey) return findInText(piece.text, piece, wanted);
  return findInText(piece.text, piece, wanted).filter(({ type }) => IN_KEYS.has(type));
}

function toSpot(piece: Piece, { type, start, end, score }: Finding): Spot {
  const { isBare, levels, outer } = piece;
  const { shown: value, sequences } = splitSequences(piece.text.slice(start, end));
  if (outer === undefined) return { type, start, end, score, value, sequences, isBare, levels };
  // The mask replaces the whole of a number without quotes.
  const from = toWhole(piece, isBare ? 0 : start);
  return { type, start: from, end: toWhole(piece, isBare ? piece.text.length : end), score, value, sequences, isBare, levels };
}
