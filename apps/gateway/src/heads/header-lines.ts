import { COLON, CR, isBlank, kinds, LF, TOKEN, VALUE } from './characters.ts';
import { findMeaning, type NameTable, nextHash } from './names.ts';

/** All lines were read. */
export const END = -1;
/** Not a valid header line: folded, whitespace before the colon, no name, a bare CR or LF, or a control character. */
export const BROKEN = -2;

/**
 * Iterates over the header lines of a head in one pass. Only requested values are cut out of the text. One object is reused for all heads,
 * one after the other.
 */
export class HeaderLines {
  /** The whole head, without the empty line at its end. */
  text = '';
  /** Positions in the current line: its beginning, the end of its name, beginning and end of its value, and the beginning of the next line. */
  from = 0;
  to = 0;
  valueFrom = 0;
  valueTo = 0;
  next = 0;
  readonly #table: NameTable;

  constructor(table: NameTable) {
    this.#table = table;
  }

  start(text: string, at: number): void {
    this.text = text;
    this.next = at;
  }

  /** Advances to the next line and returns the meaning of its name, END or BROKEN. */
  advance(): number {
    const { text } = this;
    const { folded } = this.#table;
    const end = text.length;
    const from = this.next;
    if (from >= end) return END;
    let at = from;
    let hash = 0;
    let byte = 0;
    for (; at < end; at++) {
      byte = text.charCodeAt(at);
      if ((kinds[byte]! & TOKEN) === 0) break;
      hash = nextHash(hash, folded[byte]!);
    }
    if (byte !== COLON || at === from || at >= end) return BROKEN;
    const to = at;
    at += 1;
    while (at < end && isBlank(text.charCodeAt(at))) at += 1;
    const valueFrom = at;
    while (at < end && (kinds[text.charCodeAt(at)]! & VALUE) !== 0) at += 1;
    let valueTo = at;
    if (at < end) {
      if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) return BROKEN;
      at += 2;
    }
    while (valueTo > valueFrom && isBlank(text.charCodeAt(valueTo - 1))) valueTo -= 1;
    this.from = from;
    this.to = to;
    this.valueFrom = valueFrom;
    this.valueTo = valueTo;
    this.next = at;
    return findMeaning(this.#table, hash, this);
  }

  value(): string {
    return this.text.slice(this.valueFrom, this.valueTo);
  }

  /** A whole number of at most 15 digits, or -1. A tab beside it or a leading zero, which parsers read differently, also gives -1. */
  number(): number {
    const { text, valueFrom, valueTo } = this;
    const digits = valueTo - valueFrom;
    if (digits === 0 || digits > 15 || (digits > 1 && text.charCodeAt(valueFrom) === 48) || this.hasTab()) return -1;
    let number = 0;
    for (let at = valueFrom; at < valueTo; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  isChunked(): boolean {
    return this.valueTo - this.valueFrom === 7 && this.value().toLowerCase() === 'chunked';
  }

  /** Whether the line contains a tab after its name: whitespace to some parsers, part of the value to others. */
  hasTab(): boolean {
    const tab = this.text.indexOf('\t', this.to);
    return tab >= 0 && tab < this.next;
  }
}
