import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { freePort, inFolder, interleave, program, until } from '../measure.ts';
import { startPaddock, visit } from '../paddock.ts';
import { type Docker, startDocker } from '../peers/docker.ts';
import { image } from '../peers/docker-base.ts';
import { alone, beside, type Result, type Row } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';

const unit = 'ms';
type Files = Record<string, string>;
/** A deployment of the same agent with `n` written into it in each round. Round 0 warms caches up and is not counted. */
interface Case {
  work: string;
  rounds: number;
  atLeast: number;
  files: (n: number, scratch: string) => Files;
  dockerfile: string;
}
const server = (text: string, head = '') =>
  `${head}require('http').createServer((q, r) => r.end('round ${text};')).listen(process.env.PORT);`;
const plain = `FROM ${image}\nCOPY . /app\nCMD ["node", "server.js"]\n`;
const installing = `FROM ${image}\nCOPY package.json package-lock.json /app/\nRUN npm ci --no-audit --no-fund\nCOPY . /app\nCMD ["node", "server.js"]\n`;
const requires = "require('express');require('zod');require('ws');require('ms');require('nanoid');";

const cases: Case[] = [
  {
    work: 'ZIP without dependencies → first 200',
    rounds: 7,
    atLeast: 10,
    files: (n) => ({ 'server.js': server(`plain ${n}`) }),
    dockerfile: plain,
  },
  {
    work: 'ZIP with unchanged dependencies (5 npm packages) → first 200',
    rounds: 5,
    atLeast: 4,
    files: (n, scratch) => ({ ...locked('2.1.3', scratch), 'server.js': server(`unchanged ${n}`, requires) }),
    dockerfile: installing,
  },
  {
    work: 'ZIP with changed dependencies (5 npm packages) → first 200',
    rounds: 4,
    atLeast: 10,
    files: (n, scratch) => ({
      ...locked(['2.1.3', '2.1.2', '2.1.1', '2.0.0', '1.0.0'][n]!, scratch),
      'server.js': server(`changed ${n}`, requires),
    }),
    dockerfile: installing,
  },
];

export const row: Row = {
  name: 'deploy',
  seconds: 150,
  run: (report) =>
    inFolder(async (folder) => {
      const paddock = await startPaddock();
      const docker = await orSkipped(startDocker);
      try {
        const { id } = await paddock.api<{ id: string }>('POST', '/projects', { name: 'bench' });
        for (const one of cases) {
          const files = Array.from({ length: one.rounds + 1 }, (_, n) => one.files(n, folder));
          const marks = files.map((of) => /round [\w ]+;/.exec(of['server.js']!)![0]);
          const ours = async (n: number) => {
            const { ms } = await paddock.deployTimed({ host: 'bench.localhost', project_id: id }, archive(files[n]!), marks[n]!);
            await sleep(2000); // preparations for the next deployment must not take the peer's time
            return ms;
          };
          const theirs =
            docker instanceof Skipped
              ? undefined
              : (n: number) => dockerTimed(docker, { ...one, files: files[n]!, mark: marks[n]!, folder });
          report(await compare(one, { ours, theirs, docker }));
        }
      } finally {
        await paddock.close();
        if (!(docker instanceof Skipped)) await docker.close();
      }
    }),
};

type Timed = (round: number) => Promise<number>;

type Sides = { ours: Timed; theirs: Timed | undefined; docker: Docker | Skipped };

async function compare({ work, rounds, atLeast }: Case, { ours, theirs, docker }: Sides): Promise<Result> {
  const [a, b] = await interleave(rounds + 1, theirs ? [ours, theirs] : [ours]);
  const values = a!.slice(1);
  if (docker instanceof Skipped) return alone({ work, unit, ours: { values }, why: docker.message, goal: `at least ${atLeast}×` });
  const peer = { name: `${docker.name} build + run`, values: b!.slice(1) };
  return beside({ work, unit, better: 'less', ours: { values }, peer, atLeast });
}

type Round = { dockerfile: string; files: Files; mark: string; folder: string };

async function dockerTimed(docker: Docker, { dockerfile, files, mark, folder }: Round): Promise<number> {
  const context = join(folder, 'context');
  mkdirSync(context, { recursive: true });
  for (const [name, text] of Object.entries({ ...files, Dockerfile: dockerfile })) writeFileSync(join(context, name), text);
  const port = await freePort();
  const begun = performance.now();
  await docker.build(context, 'bench-agent');
  const container = await docker.start('bench-agent', '-e', `PORT=${port}`);
  await until('the container answers', async () => (await visit(port, 'bench')).body.includes(mark), { ms: 60_000, everyMs: 5 });
  const ms = performance.now() - begun;
  await docker.remove(container);
  return ms;
}

const locks = new Map<string, Files>();

/** package.json and lock file with the given version of one of the five packages. The lock file is made before the measurement. */
function locked(version: string, scratch: string): Files {
  const known = locks.get(version);
  if (known) return known;
  const folder = join(scratch, `lock-${version}`);
  mkdirSync(folder);
  const dependencies = { express: '5.1.0', zod: '4.1.12', ws: '8.18.3', nanoid: '3.3.11', ms: version };
  const manifest = JSON.stringify({ name: 'bench', version: '1.0.0', main: 'server.js', dependencies });
  writeFileSync(join(folder, 'package.json'), manifest);
  const npm = program('npm', 'npm');
  execFileSync(npm, ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore', timeout: 60_000 });
  const files = { 'package.json': manifest, 'package-lock.json': readFileSync(join(folder, 'package-lock.json'), 'utf8') };
  locks.set(version, files);
  return files;
}

function archive(files: Files) {
  return new Blob([zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))]);
}
