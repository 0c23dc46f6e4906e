import type { PiiType } from '@paddock/contract/data-protection';

interface Found {
  type: PiiType;
  start: number;
  end: number;
  score: number;
}

/** A substitute for the server's detector: the demo finds only e-mail addresses and telephone numbers. */
const patterns: readonly [type: PiiType, pattern: RegExp, score: number][] = [
  ['Email', /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}/g, 0.95],
  ['Phone', /(?<![\w.])\+?\d{1,3}[ -]?\(?\d{2,4}\)?(?:[ -]\d{2,4}){1,3}(?!\w)/g, 0.75],
];

export function findPii(text: string): { findings: Found[]; redacted: string } {
  const findings: Found[] = [];
  for (const [type, pattern, score] of patterns)
    for (const { index, 0: value } of text.matchAll(pattern)) {
      const end = index + value.length;
      if (!findings.some((other) => other.start < end && index < other.end)) findings.push({ type, start: index, end, score });
    }
  findings.sort((a, b) => a.start - b.start);
  // Replace from the end, so that earlier offsets stay valid.
  const redacted = findings.reduceRight(
    (left, { type, start, end }) => `${left.slice(0, start)}[${type.toUpperCase()}]${left.slice(end)}`,
    text,
  );
  return { findings, redacted };
}
