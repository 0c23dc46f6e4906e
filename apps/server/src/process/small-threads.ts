import { setFlagsFromString } from 'node:v8';

/**
 * Threads started from here on have the smallest young generation; the main thread, which answers people, keeps its own. There are four to six threads,
 * and each would take 8 MB more for no more speed. A thread's own limit (`maxYoungGenerationSizeMb`) has no effect beside the process's flag.
 */
setFlagsFromString('--max-semi-space-size=1');
