import type { PlantedBug } from '../bug.ts';

const http = 'apps/server/src/http';

export const httpBugs: PlantedBug[] = [
  {
    bug: 'methods that the framework does not know are not told to it',
    promise: 'no method of the parser ends as an error of the server',
    file: `${http}/methods.ts`,
    from: '    const methods = methodsAt(url);',
    to: "    const methods = method === 'QUERY' ? new Set([method]) : methodsAt(url);",
    caught_by: { file: `${http}/methods.test.ts`, test: 'each address answers every method' },
  },
  {
    bug: 'an empty body of JSON is read as JSON',
    promise: 'no bytes are no body',
    file: `${http}/bodies.ts`,
    from: "if (body === '') done(null, undefined);",
    to: "if (body === '\\0') done(null, undefined);",
    caught_by: { file: `${http}/bodies.test.ts`, test: 'a call without a body' },
  },
  {
    bug: 'a health probe that does not come back is waited for',
    promise: 'who watches over a server hears within a second what is wrong with it',
    file: `${http}/health.ts`,
    from: "setTimeout(() => late.resolve('silent'), left)",
    to: "setTimeout(() => late.resolve('silent'), left * 100)",
    caught_by: { file: `${http}/health.test.ts`, test: 'a server whose PostgreSQL stands still' },
  },
];
