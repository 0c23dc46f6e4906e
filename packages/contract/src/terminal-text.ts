/**
 * Everything a terminal would act upon: CSI and two-byte escapes, closed OSC, DCS, SOS, PM and APC strings, other control characters.
 * An unclosed string loses its opening alone, so that hostile output cannot hide the rest of its line.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const controls = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]|[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;
// oxlint-disable-next-line no-control-regex -- see above
const colour = /^\x1b\[[\d;]*m$/;

/** What a reader sees of one line: escapes gone, and of the states of a `\r` progress bar only the last. */
export const plainText = (message: string) => fold(message).replace(controls, '');

/** The same with the colours (SGR) left in, and nothing else that a terminal acts upon. */
export const colouredText = (message: string) => fold(message).replace(controls, (found) => (colour.test(found) ? found : ''));

function fold(message: string): string {
  if (!message.includes('\r')) return message;
  const states = message.split('\r');
  let last = states.length - 1;
  while (last > 0 && (states[last] as string).replace(controls, '') === '') last -= 1;
  // Colours set in an overwritten state still hold in the one that stays.
  const carried = states.slice(0, last).flatMap((state) => (state.match(controls) ?? []).filter((found) => colour.test(found)));
  return carried.join('') + states[last];
}
