import type { Config } from './config.ts';
import type { Kin } from './listen.ts';

const MARK = '--gateway-of=';

/** The processes that share the port with this one: those with the server's mark, the preceding gateways, and those of the same leader. */
export const kinOf = ({ predecessors }: Pick<Config, 'predecessors'>, leaderPid = process.pid): Kin => ({
  mark: process.argv.find((argument) => argument.startsWith(MARK)),
  pids: [leaderPid, ...predecessors],
});
