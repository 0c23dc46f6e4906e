import type { Ground } from './ground.ts';

/** An attack that is prepared but not begun. */
export interface Ready {
  /** Process id of the load generator, if it is not this process. */
  generatorPid?: number;
  begin(): void;
  /** Resolves when the attack is complete; without it the attack goes on until `end`. */
  isDone?(): Promise<unknown>;
  /** Cleans up and returns a summary. */
  end(): Promise<string>;
}

export interface Attack {
  group: string;
  name: string;
  /** The agent attacks by itself, without a load generator. */
  isByAgent?: true;
  /** Starts agents and makes archives. This time is not measured. */
  prepare(ground: Ground): Promise<Ready>;
}
