import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the thread that imports this, which creates one large response, below that of threads that serve people. Linux has
 * priorities per thread; elsewhere they apply to the process, and this does nothing.
 */
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
