import { constants, setPriority } from 'node:os';

/**
 * The thread that imports this, which makes one large answer, gets a processor when those that answer people need none. Linux keeps priorities by thread;
 * elsewhere they are the process', and this does nothing.
 */
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
