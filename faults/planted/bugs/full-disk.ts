import type { PlantedBug } from '../bug.ts';

/** Bugs with a full disk: messages, what is started and recorded, and whose fault it is. */
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
    from: "log.warn({ err: error, pid }, 'writing gateway.json failed; the gateway is found by its mark');",
    to: 'throw error;',
    caught_by: {
      file: 'apps/server/src/gateway/start-gateway.test.ts',
      test: 'a gateway whose start cannot be noted is watched all the same',
    },
  },
  {
    bug: "what goes wrong with one tenant's row ends the turn of all",
    promise: "one tenant's fault keeps nobody else from their turn",
    file: 'apps/server/src/jobs/isolated-loop.ts',
    from: 'if (away === awayAfter) throw error;',
    to: 'if (away <= awayAfter) throw error;',
    caught_by: { file: 'apps/server/src/jobs/isolated-loop.test.ts', test: 'a row that fails keeps no other row from its turn' },
  },
  {
    bug: 'a gateway that was short of space for a moment is not short any more',
    promise: 'a full disk is reported once an episode',
    file: 'apps/gateway/src/audit/shortage/shortage-state.ts',
    from: 'now - at < settleMs',
    to: 'now - at < Math.min(1, settleMs)',
    caught_by: { file: 'apps/gateway/src/audit/shortage/shortage.test.ts', test: 'a full disk is logged and reported to the server once' },
  },
  {
    bug: 'a report of a shortage of space is not repeated',
    promise: 'the report of a full disk survives a database without space',
    file: 'apps/gateway/src/audit/shortage/report-shortage.ts',
    from: 'repeated(limits.auditSyncMs, report)',
    to: 'repeated(3_600_000, report)',
    caught_by: {
      file: 'apps/gateway/src/audit/shortage/shortage.test.ts',
      test: 'a shortage whose report the database does not take is reported once it does',
    },
  },
  {
    bug: 'an alert that records lack bodies stays when there is room again',
    promise: 'the bell says what holds',
    file: 'apps/server/src/features/governance/trail/shortages/shortage-alerts.ts',
    from: 'open.filter(({ team_id }) => !concerned.has(team_id)),',
    to: 'open.filter(({ team_id }) => !concerned.has(team_id) && false),',
    caught_by: { file: 'apps/server/src/features/governance/trail/shortages/shortages.test.ts', test: 'a team whose requests lack bodies' },
  },
];
