// Runs the install script of a package. If it fails because a host is not reached, that is noted and the install goes on.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { constants } from 'node:os';

const [shell, ...words] = process.argv.slice(2);
const { npm_package_name: name, npm_package_version: version, PADDOCK_UNREACHED: pattern, PADDOCK_UNFETCHED: list } = process.env;
const maxLines = 40;
const maxCharacters = 300;

let tail = '';
const child = spawn(shell, words, { stdio: ['inherit', 'pipe', 'pipe'] });
for (const stream of ['stdout', 'stderr'])
  child[stream].setEncoding('utf8').on('data', (text) => {
    tail = (tail + text).slice(-maxLines * maxCharacters);
    process[stream].write(text);
  });
child.on('error', ({ message }) => {
  console.error(message);
  process.exitCode = 127;
});
child.on('close', (code, signal) => {
  const failed = code ?? 128 + constants.signals[signal];
  // A package that is compiled here lacks more than a download.
  const isUnfetched = failed !== 0 && new RegExp(pattern, 'i').test(tail) && !/\bgyp ERR!/.test(tail);
  if (isUnfetched) {
    const lines = tail.split('\n').map((line) => line.slice(0, maxCharacters));
    appendFileSync(list, `${JSON.stringify({ name, version, lines: lines.slice(-maxLines) })}\n`);
  }
  process.exitCode = isUnfetched ? 0 : failed;
});
