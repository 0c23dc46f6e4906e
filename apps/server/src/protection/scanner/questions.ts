import type { Finding } from '@paddock/pii';
import type { Masking, TypeCounts } from '../masking.ts';

export interface MaskTexts {
  texts: readonly string[];
  masking: Masking;
  /** What is left by then is not scanned. */
  budgetMs: number;
}
export interface MaskedTexts {
  /** In their order; null for a text that was not scanned. */
  texts: (string | null)[];
  counts: TypeCounts;
}

export interface FindIn {
  text: string;
}
export interface Found {
  findings: Finding[];
  redacted: string;
}

export type Question = MaskTexts | FindIn;
export type Answer = MaskedTexts | Found;
/** What the thread says first. */
export interface Ready {
  ready: true;
}
