/** The exit code of an unexpected fault (EX_SOFTWARE). A refused start, which only a person can mend, ends with 1 or 2. */
const crashedCode = 70;

/** Gives a crash an exit code of its own, so that the supervisor knows to start the server again. Node prints the fault as ever. */
export function setCrashExitCode() {
  let hasCrashed = false;
  process.on('uncaughtExceptionMonitor', () => (hasCrashed = true));
  process.on('exit', () => {
    if (hasCrashed) process.exitCode = crashedCode;
  });
}
