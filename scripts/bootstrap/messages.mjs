// Everything goes to stderr: the output of the command itself stays clean.

export const say = (message) => console.error(message);

/** Ends the bootstrap with a message for the person. */
export function stop(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}
