import { type Counts, NONE } from './counts.ts';
import { useIdleCores } from './idle-cores.ts';
import { createRunner, type Runner } from './runner.ts';
import { createSlots } from './slots.ts';
import type { Place, Stage } from './stage.ts';
import { createCpuMeter, type StageTime } from './times.ts';

/** `slots` limits the parallel work of all stages together; while cores are idle, `extraSlots` more are used. */
export type RunOptions = Pick<Place, 'reports' | 'env' | 'signal' | 'slots'> & { extraSlots?: number };
export type StageResult = { counts: Counts; time: StageTime };

/** Runs all stages in parallel. An abort ends the running programs, and no other one starts. */
export async function runStages(stages: readonly Stage[], options: RunOptions): Promise<StageResult[]> {
  const { signal } = options;
  const slots = createSlots(options.slots, signal);
  const cpu = createCpuMeter();
  const idleCores = useIdleCores(slots, options.extraSlots ?? 0);
  try {
    // The stages request their slots in this order.
    return await Promise.all(stages.map((stage) => runStage(stage, createRunner({ slots, cpu, signal }), options)));
  } finally {
    idleCores.stop();
  }
}

/** A stage that throws counts as one failure; the others run all the same. */
async function runStage({ name, run }: Stage, runner: Runner, options: RunOptions): Promise<StageResult> {
  const begun = performance.now();
  const print = (text: string) => console.log(`── ${name}: ${text}`);
  const counts = await run({ ...options, run: runner.run, print }).catch((error: unknown) => {
    console.error(`${name} could not run:`, error);
    return { ...NONE, failed: 1, failures: [`${name} could not run: ${error}`] };
  });
  console.log(`\n${name}: ${counts.passed} of ${counts.passed + counts.failed} passed\n`);
  return { counts, time: { name, seconds: (performance.now() - begun) / 1000, cpu_seconds: runner.spentCpu() } };
}
