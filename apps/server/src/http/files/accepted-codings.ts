export type Coding = 'br' | 'gzip' | 'identity';

/** Best first: among equal weights the shorter form is sent. */
const preferred: readonly Coding[] = ['br', 'gzip', 'identity'];

/**
 * The codings that a caller accepts, the most preferred first (RFC 9110, 12.5.3). Without the header only identity. Identity is last if it is not
 * named, and also sent to a caller that refuses everything: a readable response is better than none.
 */
export function acceptedCodings(header: string | undefined): Coding[] {
  if (header === undefined) return ['identity'];
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, parseWeight(parameters));
  }
  const unnamed = weights.get('*');
  const weight = (coding: Coding) => weights.get(coding) ?? unnamed ?? (coding === 'identity' ? Number.MIN_VALUE : 0);
  const accepted = preferred.filter((coding) => weight(coding) > 0);
  // Sorting keeps the order among equals.
  return accepted.length > 0 ? accepted.toSorted((a, b) => weight(b) - weight(a)) : ['identity'];
}

/** The weight of a coding. An invalid weight counts as absent. */
function parseWeight(parameters: string[]): number {
  const q = parameters.find((each) => each.startsWith('q='))?.slice(2);
  return q !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 1;
}
