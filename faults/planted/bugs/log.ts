import type { PlantedBug } from '../bug.ts';

const logs = 'apps/server/src/features/logs';
const access = 'apps/server/src/http/access.test.ts';

/** Bugs in log lines and live logs. */
export const logBugs: PlantedBug[] = [
  {
    bug: 'the live log does not ask whose deployment it is',
    promise: 'P6: nothing of one team is readable by another',
    file: `${logs}/socket.ts`,
    from: 'await store.mustExist(actor.team_id, deployment_id);',
    to: '',
    caught_by: { file: access, test: 'the live log refuses' },
  },
  {
    bug: 'a ticket for a live log works again and again',
    promise: 'R: a ticket works once',
    file: `${logs}/ticket-store.ts`,
    from: 'delete from log_tickets t',
    to: 'update log_tickets t set team_id = team_id',
    caught_by: { file: access, test: 'the live log refuses' },
  },
  {
    bug: 'lines are stored although another collector stored them',
    promise: 'P4: every line exactly once',
    file: `${logs}/offset-store.ts`,
    from: 'if (!moved) throw new Overtaken();',
    to: 'void moved;',
    caught_by: { file: `${logs}/collector.test.ts`, test: 'the collector stores each line once' },
  },
  {
    bug: 'each batch of lines leaves out a number',
    promise: 'P4, I5: numbers are contiguous',
    file: `${logs}/append.ts`,
    from: ' last_number = log_heads.last_number + ${lines.length},',
    to: ' last_number = log_heads.last_number + ${lines.length + 1},',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'lines are numbered from 1' },
  },
  {
    bug: 'a reader goes on with the line that it had last',
    promise: 'P4: every line exactly once to every reader',
    file: `${logs}/feed.ts`,
    from: 'subscription.next = last + 1;',
    to: 'subscription.next = last;',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'readers at different places' },
  },
  {
    bug: 'a failed handshake of a live log keeps its place',
    promise: 'I11: nothing grows with what has gone',
    file: `${logs}/socket.ts`,
    from: 'const { user_id } = admitted;',
    to: 'const { user_id } = admitted; open.set(user_id, (open.get(user_id) ?? 0) + 1);',
    caught_by: { file: `${logs}/logs.test.ts`, test: 'handshakes that fail' },
  },
];
