import type { Ground } from './ground.ts';

/** One attack, made ready but not begun. */
export interface Ready {
  /** Of the process that makes the load, if there is one beside this. */
  generatorPid?: number;
  begin(): void;
  /** Resolves when the attack has done all that it does; without it the attack goes on until `end`. */
  isDone?(): Promise<unknown>;
  /** Leaves nothing behind. What was done is told. */
  end(): Promise<string>;
}

export interface Attack {
  group: string;
  name: string;
  /** Needs no load from outside. */
  isByAgent?: true;
  /** Not measured: agents are started and archives made. */
  prepare(ground: Ground): Promise<Ready>;
}
