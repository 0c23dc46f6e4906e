import type { Plan } from '../plan.ts';
import { findProgram, isStartThere, runners } from './missing-start.ts';
import type { StepContext } from './step-context.ts';

/** `a.ts(1,2): error TS1: …` of the compiler, `a.ts:1:2 - error TS1: …` with colours, and `[tsl] ERROR in /app/a.ts(1,2)` of ts-loader. */
const places = [
  /^(\S{1,300}?)\(\d{1,7},\d{1,7}\): error TS\d/,
  /^(\S{1,300}?):\d{1,7}:\d{1,7} - error TS\d/,
  /\[tsl\] ERROR in (\S{1,300}?)\(\d{1,7},\d{1,7}\)/,
];
/** The line by which npm, pnpm and yarn show the command of a script, if the compiler is the last of its commands. */
const compilesLast = /^(?:> |\$ )(?:[^|;]{0,300}&&)?\s{0,9}(?:npx )?tsc(?: [^&|;]{0,300})?$/;
const maxLine = 1_000;

interface Watched {
  context: StepContext;
  /** The warning if the agent can start although the build failed: its program is not among what failed. */
  tolerate: () => string | undefined;
}

/**
 * Watches a build for errors of types. They change nothing at run time, so the build counts if all are in installed packages and it made
 * what the start runs, or if the start runs the source.
 */
export function watchTypes(context: StepContext, plan: Plan, appDir: string): Watched {
  const wasThere = isStartThere(plan, appDir);
  let compiles = false;
  let own = 0;
  let first: string | undefined;
  const onLine: StepContext['onLine'] = (stream, line) => {
    context.onLine(stream, line);
    const text = line.slice(0, maxLine).trimEnd();
    compiles ||= compilesLast.test(text);
    const place = places.map((pattern) => pattern.exec(text)?.[1]).find((path) => path !== undefined);
    if (place === undefined) return;
    first ??= text.trim();
    if (!place.includes('node_modules/')) own++;
  };
  return {
    context: { ...context, onLine },
    tolerate: () => {
      if (first === undefined) return undefined;
      const runsSource = wasThere && /\.[cm]?ts$/.test(findProgram(plan.start, runners) ?? '');
      if (runsSource)
        return `The build ended with errors of types, and the start runs the source, so it counts all the same. The first: ${first}`;
      if (own > 0 || !compiles || wasThere || !isStartThere(plan, appDir)) return undefined;
      return `The build ended with errors of types in installed packages alone, and made what the start runs, so it counts. The first: ${first}`;
    },
  };
}
