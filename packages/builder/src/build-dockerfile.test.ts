// An agent whose Dockerfile sets its build, its downloads and its start.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../scripts/test/run-tools.ts';
import { trialRunner } from '../test/step-runner.ts';
import { writeZip } from '../test/write-zip.ts';
import { type BuildResult, build } from './build.ts';
import { findToolchains } from './install/toolchain.ts';
import type { StepSpec } from './step.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-dockerfile-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains = await findToolchains(AbortSignal.timeout(20_000));
const limits = { memory_mb: 512, cpus: 1, processes: 64, disk_mb: 512, open_files: 1024 };
let count = 0;

async function run(files: Record<string, string>): Promise<{ result: BuildResult; steps: StepSpec[] }> {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const steps: StepSpec[] = [];
  const request = { zipPath, settings: {}, teamId: 't', dataDir, run: trialRunner(steps), toolchains };
  return { result: await build({ ...request, signal: AbortSignal.timeout(120_000), onLine: () => undefined }), steps };
}

/** Runs the artifact's command as an agent would be, and returns what it printed. */
async function start({ command, cwd, env, mounts, app_dir }: BuildResult): Promise<string> {
  const app = join(home, `app-${count++}`);
  spawnSync('cp', ['-a', '--', app_dir, app]);
  const printed: string[] = [];
  const step = { name: 'agent', command, cwd: join('/app', cwd), env, limits, timeout_ms: 20_000, egress: { allow: [] }, registries: [] };
  const all = [{ from: app, at: '/app', writable: true }, ...mounts];
  await trialRunner().run({ ...step, mounts: all }, (_, line) => printed.push(line), AbortSignal.timeout(30_000));
  return printed.join('\n');
}

test('an agent of a Dockerfile starts in its folder, with its variables, after its build; what cannot be fetched is said', async () => {
  const agent = {
    'requirements.txt': 'six==1.16.0\n',
    'service/tool.py': 'import os\nprint(os.getcwd(), os.environ["GREETING"], os.path.isfile("../made"), os.environ["DATA"])\n',
    Makefile: 'all:\n\ttouch made\n',
    Dockerfile: `FROM python:3
ENV GREETING="good day" DATA=/srv/data
WORKDIR /srv
COPY . .
RUN apt-get install -y no-such-program-at-all libgl1 && make all
RUN python -m nltk.downloader punkt
WORKDIR service
CMD ["python", "-m", "tool"]
`,
  };
  const built = await run(agent);
  assert.equal(await start(built.result), '/app/service good day True /app/data');
  assert.match(
    built.result.warnings.join('\n'),
    /“python -m nltk\.downloader punkt”, which the Dockerfile runs, failed: .* The agent starts without/,
  );
  const step = built.steps.find(({ command }) => command.includes('nltk.downloader'));
  assert.equal(step?.env.PATH?.startsWith('/app/.venv/bin:'), true);
  const again = await run({ ...agent, 'note.txt': '' });
  assert.ok(
    again.steps.some(({ command }) => command.includes('nltk.downloader')),
    'what failed is tried again',
  );
});
