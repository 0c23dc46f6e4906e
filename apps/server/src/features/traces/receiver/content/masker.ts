import { type Known, mask, type PiiType } from '@paddock/pii';
import { addFound, type Masking, type TypeCounts } from '../../../../protection/masking.ts';
import { createReplacement } from '../../../../protection/replacement.ts';

/** Unambiguous types: names of models and tools do not match them by chance. */
const sure: ReadonlySet<PiiType> = new Set(['Email', 'SSN', 'Credit Card', 'IP Address']);

export type Masker = ReturnType<typeof createMasker>;

/** Masks texts of one trace according to its project's settings, and counts the findings. */
export function createMasker(masking: Masking, known: Known, counts: TypeCounts) {
  const types = new Set(masking.types);
  const sureTypes = types.intersection(sure);
  const replacement = createReplacement(masking);

  function masked(text: string, wanted: ReadonlySet<PiiType>): string {
    const { text: replaced, findings } = mask(text, { format: 'json', types: wanted, replacement, known });
    addFound(counts, findings);
    return replaced;
  }

  function maskedDocument(document: object, wanted: ReadonlySet<PiiType>): unknown {
    const text = JSON.stringify(document);
    const replaced = masked(text, wanted);
    return replaced === text ? undefined : (JSON.parse(replaced) as unknown);
  }

  return {
    known,
    /** The document with its values masked; undefined if nothing was found. */
    mask: (document: object): unknown => maskedDocument(document, types),
    maskSure: (document: object): unknown => maskedDocument(document, sureTypes),
    maskText: (text: string): string => masked(text, types),
    maskSureText: (text: string): string => masked(text, sureTypes),
  };
}
