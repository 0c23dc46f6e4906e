/** Cut, and as the database and a screen may have it: no lone surrogates, and of the control characters only tabs and line ends. */
export function cleanText(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return cut.toWellFormed().replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '�');
}

/** An address without what stands before the host and without its query: both may hold secrets. */
export const withoutSecrets = (url: string): string => url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
