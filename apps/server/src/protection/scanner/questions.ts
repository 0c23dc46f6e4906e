import type { Finding } from '@paddock/pii';
import type { Masking, TypeCounts } from '../masking.ts';

export interface MaskTexts {
  texts: readonly string[];
  masking: Masking;
  /** Texts that remain after this time are not scanned. */
  budgetMs: number;
}
export interface MaskedTexts {
  /** In the order of the input; null for a text that was not scanned. */
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
/** The thread's first message. */
export interface Ready {
  ready: true;
}
