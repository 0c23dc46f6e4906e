interface Job {
  name: string;
  run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs a periodic job of any feature once, by its name. */
export async function runJob(features: Record<string, { jobs: readonly Job[] }>, name: string): Promise<void> {
  const jobs = Object.values(features).flatMap((feature) => feature.jobs);
  const job = jobs.find((each) => each.name === name);
  if (!job) throw new Error(`No job is called ${name}; there are ${jobs.map((each) => each.name).join(', ')}.`);
  await job.run(new AbortController().signal);
}
