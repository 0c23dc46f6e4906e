/** Regions of ICU that are no country: parts of one, groups, and codes for tests. */
const others = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The English name of a country by its code of ISO 3166; undefined for a code that no country has, or has no longer. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code) || others.has(code)) return undefined;
  // What was given up leads to another code.
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` ? names.of(code) : undefined;
}
