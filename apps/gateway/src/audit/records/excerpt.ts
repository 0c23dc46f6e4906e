import { BodyCopier, type Budget } from '../../taps/body-copy.ts';

/** Bytes copied beyond each side of a cut, so that a value that lies across it is recognised. They are dropped after redaction. */
export const marginBytes = 160;

export interface ExcerptLimits {
  maxFirst: number;
  maxLast: number;
}

/**
 * The first and last bytes of a body, as text in which each character is a byte. A body that arrives in one small piece, as most do, costs one short
 * text; others are collected in memory from a shared budget.
 */
export class Excerpt {
  first = '';
  last = '';
  total = 0;
  /** The memory budget was exhausted. */
  isShort = false;
  readonly #limits: ExcerptLimits;
  readonly #budget: Budget;
  #copier: BodyCopier | undefined;
  #taken = 0;

  constructor(limits: ExcerptLimits, budget: Budget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** Something between `first` and `last` is missing. */
  get isCut(): boolean {
    return this.total > this.first.length + this.last.length;
  }

  add(bytes: Buffer, from: number, to: number): void {
    const isFirst = this.total === 0;
    this.total += to - from;
    if (this.isShort) return;
    if (isFirst && to - from <= this.#limits.maxFirst) this.#begin(bytes, from, to);
    else this.#collect(bytes, from, to);
  }

  #begin(bytes: Buffer, from: number, to: number): void {
    this.isShort = !this.#budget.take(to - from);
    if (this.isShort) return;
    this.#taken = to - from;
    this.first = bytes.toString('latin1', from, to);
  }

  #collect(bytes: Buffer, from: number, to: number): void {
    if (this.#copier === undefined) {
      const { maxFirst, maxLast } = this.#limits;
      this.#copier = new BodyCopier({ maxFirst: maxFirst + marginBytes, maxLast: maxLast + marginBytes }, this.#budget);
      const before = Buffer.from(this.first, 'latin1');
      this.#copier.add(before, 0, before.length);
      this.first = '';
    }
    this.#copier.add(bytes, from, to);
    this.isShort = this.#copier.isShort;
  }

  /** The body has ended: `first` and `last` are complete, and the memory is released. */
  finish(): void {
    const copier = this.#copier;
    if (copier !== undefined && !this.isShort) {
      const { first, last } = copier.copy();
      this.first = text(first);
      this.last = text(last);
    }
    this.#budget.give(this.#taken + (copier?.held ?? 0));
    this.#taken = 0;
    this.#copier = undefined;
  }
}

const text = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>) => Buffer.from(buffer, byteOffset, length).toString('latin1');
