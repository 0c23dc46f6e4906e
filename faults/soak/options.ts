import { parseArgs } from 'node:util';

export interface SoakOptions {
  minutes: number;
  agents: number;
  /** Teams that attack the platform after the first, quiet sixth of the time. */
  hostile: number;
  /** Decides every choice of the run; printed, so that a run can be repeated. */
  seed: number;
  /** Where all samples go as JSON. */
  report: string | undefined;
}

/** Throws one sentence that names the option when a value makes no sense. */
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
  const number = (name: 'minutes' | 'agents' | 'hostile' | 'seed', fallback: number, least: number, most: number) => {
    const value = values[name] === undefined ? fallback : Number(values[name]);
    if (!(value >= least && value <= most)) throw new Error(`--${name} must be a number from ${least} to ${most}`);
    return value;
  };
  return {
    minutes: number('minutes', 60, 1, 24 * 60),
    agents: Math.floor(number('agents', 50, 1, 200)),
    hostile: Math.floor(number('hostile', 4, 0, 20)),
    seed: Math.floor(number('seed', Date.now() % 1_000_000_000, 0, 2 ** 31)),
    report: values.report,
  };
}
