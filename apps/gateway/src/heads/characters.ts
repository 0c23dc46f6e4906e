/** Character classes of bytes (RFC 9110 and 9112); combine with `&`. */
export const TOKEN = 1;
export const VALUE = 2;
/** Characters of a request's target. No '#': a fragment is never sent. */
export const TARGET = 4;

export const CR = 13;
export const LF = 10;
export const TAB = 9;
export const SPACE = 32;
export const COLON = 58;

/** The classes of each byte. Values may contain bytes above ASCII, which every server reads as one opaque byte each. */
export const kinds = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte))) kinds[byte]! |= TOKEN;
  if (byte === TAB || (byte >= SPACE && byte !== 127)) kinds[byte]! |= VALUE;
  if (byte > SPACE && byte < 127 && byte !== 35) kinds[byte]! |= TARGET;
}

export const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
