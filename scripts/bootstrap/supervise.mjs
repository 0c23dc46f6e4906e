import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { isInForeground, startProgram } from './run.mjs';

/** The server's own code for a fault that nobody expected. 1 and 2 refuse the start: only a person mends that. */
const CRASHED = 70;
/** How a person or a system ends a program on purpose. */
const ASKED = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const LIMITS = {
  /** Pauses before the next start; the last one for as long as it crashes. */
  restartMs: [1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  /** Whoever has run this long before a crash is started again with the first pause. */
  steadyMs: 120_000,
  /** An orderly end takes 40 s at most: 30 for requests under way, then the rest. A hung loop ends by its own watchdog after 10. */
  graceMs: 45_000,
  /** A second signal means at once. */
  atOnceMs: 1_000,
  /** The terminal and a supervisor may both pass one signal on. */
  sameSignalMs: 500,
};

/**
 * Runs `node args` like `run`, and starts it again after a crash: by a signal that nobody asked for, which is also how the watchdog ends one
 * that hangs, or with the code of an unexpected fault. Whoever asks for the end gets it, even of one that hears nothing: then `leftovers`
 * (more arguments for `node`) ends what it leaves behind.
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
    child = startProgram(node, args);
    child.on('exit', ended);
  };

  function ended(code, signal) {
    const result = code ?? 128 + constants.signals[signal];
    if (leavingSince !== undefined) {
      if (signal !== null && leftovers) spawnSync(node, leftovers, { stdio: 'inherit', timeout: graceMs });
      process.exit(result);
    }
    if (code === null ? ASKED.includes(signal) : code !== CRASHED) process.exit(result);
    if (performance.now() - startedAt > steadyMs) crashes = 0;
    const pauseMs = restartMs[Math.min(crashes++, restartMs.length - 1)];
    tell(`Paddock ended unexpectedly (${signal ?? `exit code ${code}`}) and starts again in ${pauseMs / 1000} s.`);
    restarting = setTimeout(start, pauseMs);
  }

  function leave(signal) {
    if (restarting) process.exit(0); // nothing runs
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

/** Where the output cannot be written, as on a full disk, supervising goes on without words. */
function tell(text) {
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Nobody can be told.
  }
}
