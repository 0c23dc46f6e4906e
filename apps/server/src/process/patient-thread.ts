import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the importing thread, which creates one large result, below the threads that serve people. Linux has priorities by thread;
 * other systems have them by process, and this does nothing there.
 */
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
