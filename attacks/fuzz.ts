// As the test beside it, for as long as wanted: node attacks/fuzz.ts [runs] [seed]
import { fuzzAnswers } from './http/fuzz-answers.ts';
import { fuzzRequests } from './http/fuzz-requests.ts';

const [runs = 100_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
console.log(`seed ${seed}`);
console.log(`requests: ${await fuzzRequests(runs, seed)} of ${runs} passed on, all of them clear`);
console.log(`answers: ${await fuzzAnswers(runs, seed)} of ${runs} passed on, all of them as a strict client reads them`);
