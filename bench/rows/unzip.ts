import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { inFolder, interleave, program } from '../measure.ts';
import { alone, below, beside, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const rounds = 5;
const count = 5000;
const work = `unpacking a ZIP of ${count} files`;
const unit = 'ms';
const run = promisify(execFile);
const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const row: Row = {
  name: 'unzip',
  seconds: 20,
  run: (report) =>
    // A folder in memory is used if there is one: a disk that others write to would hide the difference.
    inFolder(async (folder) => {
      const zip = join(folder, 'agent.zip');
      writeFileSync(zip, archive());
      const dest = (name: string) => join(folder, `to-${name}`);
      // Like the product, the bench unpacks within a running process, in a thread started for it.
      const { unpack } = await import('@paddock/builder');
      const ours = async () => {
        const begun = performance.now();
        await unpack({ zipPath: zip, destDir: dest('ours') }, AbortSignal.timeout(60_000));
        const ms = performance.now() - begun;
        rmSync(dest('ours'), { recursive: true });
        return ms;
      };
      const unzip = await orSkipped(async () => program('unzip', 'unzip'));
      if (unzip instanceof Skipped) {
        const [values] = await interleave(rounds, [ours]);
        report(alone({ work, unit, ours: { values: values! }, why: unzip.message, goal: 'at least 0.9×' }));
      } else {
        const theirs = async () => {
          const begun = performance.now();
          await run(unzip, ['-q', zip, '-d', dest('theirs')]);
          const ms = performance.now() - begun;
          rmSync(dest('theirs'), { recursive: true });
          return ms;
        };
        await interleave(1, [ours, theirs]);
        const [a, b] = await interleave(rounds, [ours, theirs]);
        report(beside({ work, unit, better: 'less', ours: { values: a! }, peer: { name: 'Info-ZIP unzip', values: b! }, atLeast: 0.9 }));
      }
      const { added, whole } = await peakMb(zip, dest('peak'));
      const note = `the whole process had ${whole.toFixed(0)} MiB at its peak`;
      report(below({ work: `${work}, memory that it adds at its peak`, unit: 'MiB', ours: { values: [added] }, max: 120, note }));
    }, memoryFolder),
};

/** Peak resident set of a process that does nothing else, as the kernel reports it, and the part that the unpacking added. */
async function peakMb(zip: string, to: string): Promise<{ added: number; whole: number }> {
  const script = `import { readFileSync, writeFileSync } from 'node:fs';
    import { unpack } from '@paddock/builder';
    const mb = (name) => Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
    writeFileSync('/proc/self/clear_refs', '5'); // the peak begins anew: loading modules had its own
    const before = mb('VmRSS');
    await unpack({ zipPath: process.argv[1], destDir: process.argv[2] }, AbortSignal.timeout(60_000));
    console.log(JSON.stringify({ added: mb('VmHWM') - before, whole: mb('VmHWM') }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, zip, to], { cwd: import.meta.dirname });
  return JSON.parse(stdout) as { added: number; whole: number };
}

/** Files of 0.5 to 8 kB that compress about as well as source code. */
function archive(): Uint8Array {
  const source = readFileSync(import.meta.filename, 'utf8');
  const files: Record<string, Uint8Array> = {};
  for (let n = 0; n < count; n++) {
    const noise = createHash('sha512').update(`${n}`).digest('hex');
    files[`pkg${n % 97}/dir${n % 13}/file${n}.js`] = Buffer.from((noise + source).repeat(3).slice(0, 500 + ((n * 7919) % 7500)));
  }
  return zipSync(files);
}
