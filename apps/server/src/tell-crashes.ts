/** Of a fault that nobody expected (EX_SOFTWARE). A start that was refused ends with 1 or 2, which nothing but a person mends. */
const crashedCode = 70;

/** Gives a crash an exit code of its own, so that whoever started the server knows to start it again. Node prints the fault as ever. */
export function tellCrashes() {
  let hasCrashed = false;
  process.on('uncaughtExceptionMonitor', () => (hasCrashed = true));
  process.on('exit', () => {
    if (hasCrashed) process.exitCode = crashedCode;
  });
}
