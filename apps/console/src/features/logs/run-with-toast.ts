import { toast } from 'react-hot-toast/headless';

export const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'Something unexpected went wrong.');

/** Runs work in the background and reports its failure in a toast. */
export const runWithToast = (work: Promise<unknown> | undefined) => void work?.catch((cause: unknown) => toast.error(messageOf(cause)));
