import { parseArgs } from 'node:util';

export interface SoakOptions {
  minutes: number;
  agents: number;
  /** Teams that attack the platform after the first, quiet sixth of the time. */
  hostile: number;
  /** Determines every choice of the run. It is printed, so that a run can be repeated. */
  seed: number;
  /** The file for all samples as JSON. */
  report: string | undefined;
}

/** Throws one sentence that names the option when a value is invalid. */
export function readOptions(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      agents: { type: 'string' },
      hostile: { type: 'string' },
      seed: { type: 'string' },
      report: { type: 'string' },
    },
  });
  type Range = { fallback: number; min: number; max: number };
  const number = (name: 'minutes' | 'agents' | 'hostile' | 'seed', { fallback, min, max }: Range) => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (!(value >= min && value <= max)) throw new Error(`--${name} must be a number from ${min} to ${max}`);
    return value;
  };
  return {
    minutes: number('minutes', { fallback: 60, min: 1, max: 24 * 60 }),
    agents: Math.floor(number('agents', { fallback: 50, min: 1, max: 200 })),
    hostile: Math.floor(number('hostile', { fallback: 4, min: 0, max: 20 })),
    seed: Math.floor(number('seed', { fallback: Date.now() % 1_000_000_000, min: 0, max: 2 ** 31 })),
    report: values.report,
  };
}
