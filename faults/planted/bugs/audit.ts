import type { PlantedBug } from '../bug.ts';

const governance = 'apps/server/src/features/governance/trail';

export const auditBugs: PlantedBug[] = [
  {
    bug: 'an agent that answers with its own secrets has them in the trail',
    promise: 'secrets of an agent are in no record, line or span',
    file: 'apps/server/src/features/governance/trail/sequencer/blank-event.ts',
    from: 'if (agent_id === null || !spoken.has(event.action_type)) return event;',
    to: "if (agent_id !== '' || !spoken.has(event.action_type)) return event;",
    caught_by: { file: 'apps/server/src/protection/agents.test.ts', test: 'the secrets of an agent are in no record' },
  },
  {
    bug: 'secrets of an agent that starts are heard of seconds later',
    promise: 'secrets of an agent are in no record, line or span',
    file: 'apps/server/src/protection/agent-secrets/known-secrets.ts',
    from: 'known.until = 0;',
    to: 'known.until += 0;',
    caught_by: { file: 'apps/server/src/protection/agent-secrets/known-secrets.test.ts', test: 'secrets are read once in a while' },
  },
  {
    bug: 'a batch of records counts again when its answer got lost',
    promise: 'P8: an answered request is on record once',
    file: 'apps/gateway/src/audit/spool/spool-store.ts',
    from: '            and handed_in = ${from}',
    to: '            and handed_in <= ${to}',
    caught_by: { file: 'apps/gateway/src/audit/spool/spool.test.ts', test: 'a batch that came through' },
  },
  {
    bug: 'bodies are recorded as they were sent',
    promise: 'nothing that was not masked is stored of what passes an agent',
    file: 'apps/gateway/src/protection/redactor.ts',
    from: 'return { text: redacted, found:',
    to: 'return { text, found:',
    caught_by: { file: 'apps/gateway/src/audit/recorded.test.ts', test: 'personal data stands in no record' },
  },
  {
    bug: 'a changed record verifies',
    promise: 'P8: the audit chain is verifiable',
    file: `${governance}/verify/verify-chain.ts`,
    from: 'if (!hash.equals(row.hash)) throw bad(',
    to: 'if (hash.length === 0) throw bad(',
    caught_by: { file: `${governance}/verify/tampering.test.ts`, test: 'a changed fact, payload or salt is found' },
  },
];
