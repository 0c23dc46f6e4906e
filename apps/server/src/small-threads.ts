import { setFlagsFromString } from 'node:v8';

/**
 * Threads that are started from here on have the smallest young generation; the main thread, which answers people, keeps what it was started with. There
 * are four to six threads, and each would take 8 MB more for no more speed. Beside the flag of a process a limit of a thread's own
 * (`maxYoungGenerationSizeMb`) does not count.
 */
setFlagsFromString('--max-semi-space-size=1');
