import type { PlantedBug } from '../bug.ts';

/** Of a full disk: what is said, what is started and noted, and whose fault it is. */
export const fullDiskBugs: PlantedBug[] = [
  {
    bug: 'lines of a log that could not be written are missing without a word',
    promise: 'outputs: what is lost is counted and told',
    file: 'packages/output/src/output.ts',
    from: 'if (lost > 0 && !tellLoss()) return drop(bytes);',
    to: 'if (lost > 0 && !(lost = 0)) return send(bytes);',
    caught_by: { file: 'packages/output/src/output.test.ts', test: 'lines that a full disk does not take are counted' },
  },
  {
    bug: 'a gateway whose start cannot be noted is given up',
    promise: 'the gateway comes back after any failure, and is one',
    file: 'apps/server/src/gateway/start-gateway.ts',
    from: "log.warn({ err: error, pid }, 'the start of the gateway could not be noted; it is found without the note');",
    to: 'throw error;',
    caught_by: {
      file: 'apps/server/src/gateway/start-gateway.test.ts',
      test: 'a gateway whose start cannot be noted is watched all the same',
    },
  },
  {
    bug: "what goes wrong with one tenant's row ends the turn of all",
    promise: "one tenant's fault keeps nobody else from their turn",
    file: 'apps/server/src/jobs/each.ts',
    from: 'if (away === awayAfter) throw error;',
    to: 'if (away <= awayAfter) throw error;',
    caught_by: { file: 'apps/server/src/jobs/each.test.ts', test: 'a row that fails keeps no other row from its turn' },
  },
];
