/** The exit code of a crash (EX_SOFTWARE). A refused start, which only a person can fix, exits with 1 or 2. */
const crashedCode = 70;

/** Gives a crash its own exit code, so that the supervisor restarts the server. Node prints the error as usual. */
export function setCrashExitCode() {
  let hasCrashed = false;
  process.on('uncaughtExceptionMonitor', () => (hasCrashed = true));
  process.on('exit', () => {
    if (hasCrashed) process.exitCode = crashedCode;
  });
}
