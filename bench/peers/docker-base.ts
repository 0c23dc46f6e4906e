import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from '../measure.ts';
import { Skipped } from '../skipped.ts';

/** The image that agents are built from: a small Debian with npm and the Node.js that runs the bench. */
export const image = 'bench-node';
const suite = 'bookworm';
const cache = join(homedir(), '.cache/paddock-bench');

/** Environment variables that this machine's package clients need to reach their registry. They are set only in the bench's own image. */
const settings = /^(https?_proxy|no_proxy|npm_config_|node_extra_ca)/i;

export async function baseImage(call: (...args: string[]) => Promise<string>, folder: string) {
  const context = join(folder, 'base');
  mkdirSync(context);
  copyFileSync(process.execPath, join(context, 'node'));
  const npm = dirname(dirname(realpathSync(program('npm', 'npm'))));
  cpSync(npm, join(context, 'npm'), { recursive: true });
  const env = Object.entries(process.env).filter(([name, value]) => settings.test(name) && value);
  const lines = env.map(([name, value]) => `ENV ${name}=${JSON.stringify(name === 'NODE_EXTRA_CA_CERTS' ? '/etc/bench-ca.pem' : value)}`);
  for (const [file, given] of [
    ['bench-ca.pem', process.env.NODE_EXTRA_CA_CERTS],
    ['bench-npmrc', join(homedir(), '.npmrc')],
  ] as const) {
    if (given && existsSync(given)) copyFileSync(given, join(context, file));
    else writeFileSync(join(context, file), '');
  }
  writeFileSync(
    join(context, 'Dockerfile'),
    `FROM bench-os
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY bench-ca.pem /etc/bench-ca.pem
COPY bench-npmrc /root/.npmrc
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
${lines.join('\n')}
WORKDIR /app\n`,
  );
  await call('import', system(), 'bench-os');
  await call('build', '-q', '-t', image, context);
}

/** A minimal Debian as an archive, made once and cached. */
function system(): string {
  const archive = join(cache, `${suite}-${process.arch}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(cache, { recursive: true });
  const draft = join(cache, `draft-${process.pid}`);
  try {
    execFileSync('debootstrap', ['--variant=minbase', suite, draft, ...mirror()], { stdio: 'ignore', timeout: 240_000 });
    execFileSync('tar', ['-C', draft, '--exclude=./var/cache/apt', '-cf', `${draft}.tar`, '.'], { timeout: 60_000 });
    renameSync(`${draft}.tar`, archive);
    return archive;
  } catch (error) {
    throw new Skipped(`the image of ${suite} could not be made: ${(error as Error).message.split('\n')[0]}`);
  } finally {
    for (const left of [draft, `${draft}.tar`]) rmSync(left, { recursive: true, force: true });
  }
}

/** The mirror of this machine's own packages, if it has the same suite; otherwise debootstrap's default. */
function mirror(): string[] {
  const lines = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME)'], { encoding: 'utf8' }).split('\n');
  const found = lines.find((line) => line.endsWith(` ${suite}`));
  return found ? [found.split(' ')[0]!] : [];
}
