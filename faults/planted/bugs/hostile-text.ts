import type { PlantedBug } from '../bug.ts';

const builder = 'packages/builder/src';
const deployments = 'apps/server/src/features/deployments';

/** Bugs that let work grow with untrusted input. */
export const hostileTextBugs: PlantedBug[] = [
  {
    bug: 'the command of a process is cut out of its line by a pattern that tries every blank with every other',
    promise: 'Nobody can stop anybody: work on an archive grows with its length, not with its square',
    file: `${builder}/detect/procfile.ts`,
    from: 'const command = line.slice(colon + 1).trim();',
    to: "const command = /^\\s*(\\S.*?)\\s*$/.exec(line.slice(colon + 1))?.[1] ?? '';",
    caught_by: {
      file: `${builder}/detect/linear.test.ts`,
      test: 'the plan of an archive takes time by the length of a command in a Procfile',
    },
  },
  {
    bug: 'the thread of an archive may take as long as it likes',
    promise: 'Nobody can stop anybody: what takes too long is ended',
    file: `${builder}/unpack/thread.ts`,
    from: 'if (left === 0) end();',
    to: 'if (left === -1e9) end();',
    caught_by: { file: `${builder}/unpack/read-archive.test.ts`, test: 'reading that takes too long is ended' },
  },
  {
    bug: 'a try is not counted before it begins',
    promise: 'Nobody can stop anybody: what ends the server twice is not tried again',
    file: `${deployments}/leases.ts`,
    from: "cut_short = d.cut_short + (d.status <> 'active')::int",
    to: 'cut_short = d.cut_short',
    caught_by: { file: `${deployments}/run/cut-short.test.ts`, test: 'a deployment during whose build the server died twice' },
  },
];
