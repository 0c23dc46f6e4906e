/**
 * All sequences that a terminal would execute: CSI and two-byte escapes, closed OSC, DCS, SOS, PM and APC strings, other control
 * characters, and letters that reverse the direction of the text around them. Only the opening of an unclosed string is removed, so that
 * hostile output cannot hide the rest of its line.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const controls =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]|[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- see above
const colour = /^\x1b\[[\d;]*m$/;

/** The visible text of one line: escapes are removed, and only the last state of a `\r` progress bar is kept. */
export const plainText = (message: string) => fold(message).replace(controls, '');

/** The same with the colours (SGR) kept, and no other sequence that a terminal would execute. */
export const colouredText = (message: string) => fold(message).replace(controls, (found) => (colour.test(found) ? found : ''));

/** Letters that are invisible, or that reverse the direction of the following text. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A stranger's text in a form that is safe on a page or in a table: one line of bounded length, without characters that act on a terminal,
 * hide text or reverse it.
 */
export function shownText(text: string, maxLength = 200): string {
  const shown = text
    .slice(0, maxLength * 4)
    .toWellFormed()
    .replace(/[\t\n\r]/g, ' ')
    .replace(controls, '')
    .replace(invisible, '')
    .trim();
  const letters = Array.from(shown);
  return letters.length > maxLength || text.length > maxLength * 4 ? `${letters.slice(0, maxLength).join('')}…` : shown;
}

function fold(message: string): string {
  if (!message.includes('\r')) return message;
  const states = message.split('\r');
  let last = states.length - 1;
  while (last > 0 && (states[last] as string).replace(controls, '') === '') last -= 1;
  // Colours set in an overwritten state still apply to the state that is kept.
  const carried = states.slice(0, last).flatMap((state) => (state.match(controls) ?? []).filter((found) => colour.test(found)));
  return carried.join('') + states[last];
}
