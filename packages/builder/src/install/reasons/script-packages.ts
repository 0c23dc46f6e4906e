import { type FailureOutput, find } from './reason.ts';

/** Lines by which bun, yarn, npm and pnpm name the package whose install script failed. */
const patterns = [
  /^error: (?:pre|post)?install script from "(\S{1,100})" exited/,
  /YN0009: \W{0,4}(@?[^@\s]{1,100})@\S{1,300} couldn't be built/,
  /^(?:error|npm error path) \/(?:[^/\s]{1,200}\/){0,20}node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})(?:: Command failed|$)/,
  /^(?:\S{1,200}\/)?node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100}) (?:pre|post)?install: Failed/,
];

/** The package whose install script failed. */
export function packageOfScript(output: FailureOutput): string | undefined {
  for (const pattern of patterns) {
    const name = find(output, pattern);
    if (name !== undefined) return name;
  }
  return undefined;
}
