import type { Config } from './config.ts';
import type { Kin } from './listen.ts';

const MARK = '--gateway-of=';

/** The processes with which this one shares the port: those with the server's mark, earlier gateways, and those of the same leader. */
export const findKin = ({ predecessors }: Pick<Config, 'predecessors'>, leaderPid = process.pid): Kin => ({
  mark: process.argv.find((argument) => argument.startsWith(MARK)),
  pids: [leaderPid, ...predecessors],
});
