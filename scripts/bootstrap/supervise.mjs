import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { stop } from './messages.mjs';
import { ROOT } from './root.mjs';
import { envOf, isInForeground, startProgram } from './run.mjs';

/** The server's own code for a fault that nobody expected. */
const CRASHED = 70;
/** The server could not start. At the first start only a person mends that; after a crash the disk may be full, or the database away. */
const NOT_STARTED = 1;
/** How a person or a system ends a program on purpose. */
const ASKED = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const LIMITS = {
  /** Pauses before the next start; the last one for as long as it crashes. */
  restartMs: [1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  /** A server that ran this long before a crash is restarted after the first pause. */
  steadyMs: 120_000,
  /** An orderly end takes 40 s at most: 30 for requests under way, then the rest. A hung loop ends by its own watchdog after 10. */
  graceMs: 45_000,
  /** A second signal means at once. */
  atOnceMs: 1_000,
  /** The terminal and a supervisor may both pass one signal on. */
  sameSignalMs: 500,
};

/**
 * Runs `node args` like `run`, and starts the program again after a crash: a signal that nobody asked for, which is also how the watchdog ends
 * a program that hangs, the code of an unexpected fault, or a start after a crash that fails. Whoever asks for the end gets the end, also of a
 * program that hears nothing. Unless the program itself ended in good order, `leftovers` (more arguments for `node`) ends what it leaves behind.
 */
export function supervise(node, args, { leftovers, limits = {} } = {}) {
  const { restartMs, steadyMs, graceMs, atOnceMs, sameSignalMs } = { ...LIMITS, ...limits };
  let child;
  let startedAt = 0;
  let crashes = 0;
  let restarting;
  let leavingSince;

  const start = () => {
    restarting = undefined;
    startedAt = performance.now();
    child = startProgram(node, args, { failed: couldNotStart });
    child.on('exit', ended);
  };

  function ended(code, signal) {
    const result = code ?? 128 + constants.signals[signal];
    if (leavingSince !== undefined) finish(result, signal !== null || code === CRASHED || code === NOT_STARTED);
    if (performance.now() - startedAt > steadyMs) crashes = 0;
    const isCrash = code === null ? !ASKED.includes(signal) : code === CRASHED || (code === NOT_STARTED && crashes > 0);
    if (!isCrash) process.exit(result);
    startAgain((seconds) => `Paddock ended unexpectedly (${signal ?? `exit code ${code}`}) and starts again in ${seconds} s.`);
  }

  function couldNotStart(error) {
    if (child.pid !== undefined) return; // a signal that could not be sent
    if (leavingSince !== undefined) finish(NOT_STARTED, true);
    if (crashes === 0) stop(`Could not run ${node}: ${error.message}`);
    startAgain((seconds) => `Paddock could not be started (${error.message}) and is tried again in ${seconds} s.`);
  }

  function startAgain(wordsFor) {
    const pauseMs = restartMs[Math.min(crashes++, restartMs.length - 1)];
    tell(wordsFor(pauseMs / 1000));
    restarting = setTimeout(start, pauseMs);
  }

  /** After an end that somebody asked for. */
  function finish(result, leaves) {
    if (leaves && leftovers) spawnSync(node, leftovers, { cwd: ROOT, env: envOf(node), stdio: 'inherit', timeout: graceMs });
    process.exit(result);
  }

  function leave(signal) {
    if (restarting) {
      clearTimeout(restarting);
      return finish(0, true); // a server that crashed leaves its PostgreSQL
    }
    // Ctrl-C reaches the child from the terminal. Passed on as well it would look like the second one, which means 'at once'.
    if (signal !== 'SIGINT' || !isInForeground()) child.kill(signal);
    const isFirst = leavingSince === undefined;
    leavingSince ??= performance.now();
    if (isFirst) setTimeout(() => end('after its grace'), graceMs);
    else if (performance.now() - leavingSince > sameSignalMs) setTimeout(() => end('at once, as asked'), atOnceMs);
  }

  function end(why) {
    tell(`Paddock did not end by itself and is ended ${why}.`);
    child.kill('SIGKILL');
  }

  for (const signal of ASKED) process.on(signal, () => leave(signal));
  start();
}

/** If the output cannot be written, as on a full disk, supervision continues silently. */
function tell(text) {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nobody can be told.
  }
}
