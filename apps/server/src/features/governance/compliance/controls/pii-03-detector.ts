import { setImmediate as breathe } from 'node:timers/promises';
import { cutText } from '@paddock/contract/figures';
import { plural } from '@paddock/contract/plural';
import { detect, type Finding } from '@paddock/pii';
import { heldOut, scoreOfTypes, type TypeScore } from '@paddock/pii/regression';
import type { Control, ControlFinding } from '../control.ts';
import { failed, passed, unverifiedResult } from '../finding.ts';

/** Texts scanned before yielding to other work; the texts are short. */
const together = 5;

interface Detector {
  find?: (text: string) => Finding[];
  texts?: typeof heldOut;
}

/** PII-03: the installed detector still finds what it should in the held-out labelled texts, on which no rule was tuned. */
export const detectorControl = ({ find = detect, texts: read = heldOut }: Detector = {}): Control => ({
  id: 'PII-03',
  of: 'installation',
  async check(signal) {
    const texts = readable(read);
    if (!texts)
      return unverifiedResult(
        'The labelled texts of the detector.',
        'The labelled texts are not part of this installation: install Paddock whole, with packages/pii/test-set.',
      );
    const found = new Map<string, Finding[]>();
    for (const [at, { id, text }] of texts.entries()) {
      if (at % together === 0) await breathe();
      signal.throwIfAborted();
      found.set(id, find(text));
    }
    const scores = scoreOfTypes(texts, ({ id }) => found.get(id) ?? []);
    const values = scores.reduce((sum, one) => sum + one.values, 0);
    return {
      looked_at: `${plural(values, 'labelled value')} of ${plural(scores.length, 'type')} in ${plural(texts.length, 'text')} that no rule was tuned on.`,
      resources: scores.map(judge),
    };
  },
});

function judge({ type, f1, precision, recall, least, values }: TypeScore): ControlFinding {
  const subject = { type: 'detector', id: type, name: type };
  const evidence = { f1: round(f1), precision: round(precision), recall: round(recall), least_f1: least, values };
  if (f1 >= least) return passed(subject, `F1 of ${type} is ${cutText(f1, 3)}, at least ${least}.`, evidence);
  const fix = {
    text: 'Go back to the release before, or update to the next one; meanwhile look at what is stored with the control PII-02.',
  };
  return failed(subject, `F1 of ${type} is ${cutText(f1, 3)}, below ${least}: values of this type are missed or wrongly found.`, {
    evidence,
    fix,
  });
}

const round = (share: number) => Number(cutText(share, 3));

function readable(read: typeof heldOut): ReturnType<typeof heldOut> | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
