import { toast } from 'react-hot-toast/headless';

export const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'Something unexpected went wrong.');

/** For work that nobody waits for: its failure is told in a toast. */
export const runAndTell = (work: Promise<unknown> | undefined) => void work?.catch((cause: unknown) => toast.error(messageOf(cause)));
