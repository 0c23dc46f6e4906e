/** Cuts a text and makes it safe for the database and a screen: no lone surrogates, and no control characters except tabs and line ends. */
export function cleanText(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return cut.toWellFormed().replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '�');
}

/** An address without its login and query, which may contain secrets. */
export const withoutSecrets = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
