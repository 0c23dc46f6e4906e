/** Regions of ICU that are not countries: parts of one, groups, and codes for tests. */
const others = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The English name of a country by its ISO 3166 code; undefined for a code that is unassigned or withdrawn. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code) || others.has(code)) return undefined;
  // A withdrawn code is canonicalised to another code.
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` ? names.of(code) : undefined;
}
