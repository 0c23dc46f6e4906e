// Recognizes streams of events by their first characters, because many are sent as plain text or as JSON.

const EVENTS = /^[\ufeff\s]{0,20}(?:data:|event:|id:|retry:|\u001e|\d{1,2}:["{[]|[a-z]:["{[])/;
const OBJECT = /^[\ufeff\s]{0,20}\{\s{0,20}"/;
const LONGEST_FIRST = 1 << 16;

/** Number of characters that are enough to recognize it. */
export const formLength = 48;

/** Whether the beginning of a text is that of server-sent events, of a data stream, or of JSON lines. */
export const beginsLines = (beginning: string): boolean => EVENTS.test(beginning) || OBJECT.test(beginning);

/** Whether a whole text consists of such lines. A single JSON document does not. */
export function isLines(text: string): boolean {
  if (EVENTS.test(text.slice(0, formLength))) return true;
  if (!OBJECT.test(text.slice(0, formLength))) return false;
  const end = text.slice(0, LONGEST_FIRST).search(/[\r\n]/);
  return end > 0 && /\}\s{0,20}$/.test(text.slice(Math.max(0, end - 21), end)) && /^[\r\n\s]{0,20}\{/.test(text.slice(end, end + 21));
}
