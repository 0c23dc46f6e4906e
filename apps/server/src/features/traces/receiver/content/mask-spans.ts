import type { RawSpan, SpanSemantics } from '@paddock/otlp';
import type { Known } from '@paddock/pii';
import type { Masking, TypeCounts } from '../../../../protection/masking.ts';
import type { ReceiverLimits } from '../limits.ts';
import { type Budget, createTimeBudget } from './budget.ts';
import { contentsOf, maskContent, mergeContent } from './mask-content.ts';
import { dropTexts, maskTexts } from './mask-texts.ts';
import { createMasker, type Masker } from './masker.ts';
import type { TraceValues } from './trace-values.ts';

interface Deps {
  values: TraceValues;
  bounds: Pick<ReceiverLimits, 'scanMs' | 'contentBytes' | 'contentOfSpanBytes'>;
}

interface Sent {
  team_id: string;
  masking: Masking;
  /** The semantics of the spans, in their order: names of models may be made up as well. */
  understood: SpanSemantics[];
}

/**
 * Masks the spans of one request in place, according to their project's settings, and adds their content to their attributes. Content beyond the
 * time budget is dropped. A value that is found in one span is masked in all spans of its trace that arrive with it or later.
 */
export const createSpanMasker =
  ({ values, bounds }: Deps) =>
  async (spans: RawSpan[], { team_id, masking, understood }: Sent): Promise<TypeCounts> => {
    const counts: TypeCounts = {};
    if (masking.types.length > 0) await maskAll();
    for (const span of spans) mergeContent(span, bounds);
    return counts;

    async function maskAll(): Promise<void> {
      const budget = createTimeBudget(bounds.scanMs);
      const found = new Map<string, Known>();
      const maskers = new Map<string, Masker>();
      for (const { trace_id } of spans) {
        if (found.has(trace_id)) continue;
        found.set(trace_id, values.of(team_id, trace_id));
        maskers.set(trace_id, createMasker(masking, found.get(trace_id)!, counts));
      }
      const sizes = new Map<RawSpan, number>();
      for (const [at, span] of spans.entries()) {
        const masker = maskers.get(span.trace_id)!;
        maskNames(understood[at]!, masker);
        if (!budget.spend(() => maskTexts(span, masker))) dropTexts(span);
        sizes.set(span, masker.known.size);
        await budget.rest();
      }
      const withContent = spans.filter((span) => contentsOf(span).some(({ size }) => size > 0));
      for (const span of withContent) await maskSpan(span, maskers.get(span.trace_id)!, budget);
      // A value found in a later span of the request may also occur in an earlier one.
      for (const span of spans) {
        const masker = maskers.get(span.trace_id)!;
        if (masker.known.size === sizes.get(span)) continue;
        if (!budget.spend(() => maskTexts(span, masker))) dropTexts(span);
        await maskSpan(span, masker, budget);
      }
      values.evict(team_id, found);
    }
  };

/** Names are short, and always masked. */
function maskNames(understood: SpanSemantics, masker: Masker): void {
  if (understood.model !== null) understood.model = masker.maskSureText(understood.model);
  if (understood.provider !== null) understood.provider = masker.maskSureText(understood.provider);
}

async function maskSpan(span: RawSpan, masker: Masker, budget: Budget): Promise<void> {
  maskContent(span, masker, budget);
  await budget.rest();
}
