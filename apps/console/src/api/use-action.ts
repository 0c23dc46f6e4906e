import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { createIntentions } from './intentions.ts';

/** Sent with the call, so that a retry takes effect once. */
export interface Intention {
  idempotency_key: string;
}

type Options<Data, Input, Context> = Omit<UseMutationOptions<Data, Error, Input, Context>, 'mutationFn'> & {
  /** Pass the intention to every call that creates or starts something. */
  mutationFn: (input: Input, intention: Intention) => Promise<Data>;
};

/**
 * Every change that the console makes on the server goes through here. It is TanStack's mutation, but one press is one request: an equal
 * second press is ignored at once, and after a lost response the next press repeats the same intention (`createIntentions`).
 */
export function useAction<Data, Input = void, Context = unknown>({
  mutationFn,
  onSettled,
  ...options
}: Options<Data, Input, Context>): UseMutationResult<Data, Error, Input, Context> {
  const [intentions] = useState(() => createIntentions());
  const mutation = useMutation<Data, Error, Input, Context>({
    ...options,
    mutationFn: (input) => mutationFn(input, { idempotency_key: intentions.keyOf(input) }),
    onSettled: (...settled) => {
      const [, error, input] = settled;
      intentions.settle(input, error);
      return onSettled?.(...settled);
    },
  });
  const { mutate: send } = mutation;
  const mutate = useCallback<typeof send>(
    (...given) => {
      if (intentions.begin(given[0])) send(...given);
    },
    [intentions, send],
  );
  return { ...mutation, mutate };
}
