// Runs the fuzz test for as long as wanted and prints the differences: node attacks/fuzz.ts [requests|answers|both] [runs] [seed]
import { fuzzAnswers } from './http/fuzz-answers.ts';
import { fuzzRequests } from './http/fuzz-requests.ts';

const [what = 'both', runs = 100_000, seed = Date.now() % 1_000_000] = process.argv
  .slice(2)
  .map((word) => (Number.isNaN(Number(word)) ? word : Number(word)));
/** Runs in each part. A failure names its place within a part, and a part is quick to repeat. */
const partRuns = 20_000;

if (what !== 'answers') await fuzz('requests', fuzzRequests);
if (what !== 'requests') await fuzz('answers', fuzzAnswers);
process.exit(process.exitCode ?? 0);

async function fuzz(name: string, part: typeof fuzzRequests): Promise<void> {
  const began = performance.now();
  const tally = { decided: new Map<string, number>(), undecided: [] as string[] };
  let accepted = 0;
  for (let done = 0, at = 0; done < Number(runs); done += partRuns, at += 1) {
    const count = Math.min(partRuns, Number(runs) - done);
    accepted += await part(count, Number(seed) + at, tally);
    if (at % 10 === 9) console.log(`${name}: ${done + count} runs, ${Math.round((performance.now() - began) / 1_000)} s`);
  }
  console.log(
    `${name}: ${runs} runs from seed ${seed}, ${accepted} passed on, ${Math.round((performance.now() - began) / 1_000)} s; decided differences:`,
  );
  for (const [difference, count] of [...tally.decided].toSorted((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(8)}  ${difference}`);
  for (const fault of tally.undecided) console.log(fault);
  if (tally.undecided.length > 0) process.exitCode = 1;
}
