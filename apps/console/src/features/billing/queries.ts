import type { BillingState } from '@paddock/contract';
import type { PlanId } from '@paddock/contract/plans';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { readSession, updateUser } from '../../api/session.ts';
import { type Intention, useAction } from '../../api/use-action.ts';
import { planLimitsQuery } from '../plan-limits/queries.ts';

/** The server meters once a minute. */
const meteredMs = 60_000;

/** All months, and one of them in full: the newest, or the one that is asked for. */
export const usageQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', month],
    refetchInterval: meteredMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [all, one] = await Promise.all([
        api.usage.list({}, { signal }),
        month === undefined ? undefined : api.usage.list({ month }, { signal }),
      ]);
      return { ...all, shown: one?.usage[0] ?? all.usage[0] };
    },
  });

export const budgetsQuery = queryOptions({
  queryKey: ['usage', 'budgets'],
  refetchInterval: meteredMs,
  queryFn: ({ signal }) => api.usage.budgets({}, { signal }).then(({ budgets }) => budgets),
});

/** Null removes the budget. */
export function useSetBudget() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (budget: { project_id: string | null; amount: number | null }) => api.usage.setBudget(budget),
    onSuccess: ({ budgets }) => client.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

/** A renewal may be declined while nobody does anything. */
const refreshMs = 300_000;
/** A payment that is under way is asked for often, but not for ever. */
const runningMs = 2000;
const maxFastLooks = 150;

/** The subscription, what is to be paid, and how. */
export const subscriptionQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: async ({ signal }) => withPlan(await api.billing.subscription({}, { signal })),
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    data?.payment?.state === 'running' && dataUpdateCount < maxFastLooks ? runningMs : refreshMs,
});

/** What a plan would cost at this moment: the rest of the period shrinks while somebody thinks. */
export const quoteQuery = (plan: PlanId) =>
  queryOptions({
    queryKey: ['billing', 'quote', plan],
    refetchInterval: 60_000,
    staleTime: 0,
    queryFn: ({ signal }) => api.billing.quote({ plan }, { signal }),
  });

/** The header tells the plan of the session: it follows what billing says. */
function withPlan<State extends BillingState>(state: State): State {
  const session = readSession();
  const plan = state.subscription?.plan ?? 'free';
  if (session && session.user.plan !== plan) updateUser({ ...session.user, plan });
  return state;
}

/** A change of the subscription. Its answer is the new state; after a refusal the state may be another than the page shows. */
function useChange<Input, State extends BillingState>(mutationFn: (input: Input, intention: Intention) => Promise<State>) {
  const client = useQueryClient();
  return useAction({
    mutationFn,
    onSuccess: (state) => client.setQueryData(subscriptionQuery.queryKey, withPlan(state)),
    onSettled() {
      // What a month is estimated to cost, and what may be made, follow the plan.
      for (const queryKey of [['billing'], ['usage'], planLimitsQuery.queryKey]) void client.invalidateQueries({ queryKey });
    },
  });
}

export interface Choice {
  plan: PlanId;
  isSwitch: boolean;
  /** Empty for the saved one. */
  payment_method_id: string;
}

export const useChoosePlan = () =>
  useChange(async ({ plan, isSwitch, payment_method_id }: Choice, intention) => {
    if (!isSwitch) return api.billing.subscribe({ plan, payment_method_id }, intention);
    // Chosen after the saved one was declined: it pays this switch and what follows.
    if (payment_method_id !== '') await api.billing.setPaymentMethod({ payment_method_id });
    return api.billing.switch({ plan });
  });
export const useCancel = () => useChange<void, BillingState>(() => api.billing.cancel({}));
export const useResume = () => useChange<void, BillingState>((_input, intention) => api.billing.resume({}, intention));
export const useSetPaymentMethod = () => useChange((payment_method_id: string) => api.billing.setPaymentMethod({ payment_method_id }));
export const useConfirmPayment = () =>
  useChange((outcome: 'confirm' | 'refuse', intention) => api.billing.confirmPayment({ outcome }, intention));

/** Leads to the provider's page on which a card is entered. */
export const useStartPaymentMethod = () =>
  useAction({
    mutationFn: (_input: void, intention) => api.billing.startPaymentMethod({}, intention),
    onSuccess: ({ url }) => location.assign(url),
  });

export function useDismissNotice() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (id: string) => api.billing.dismissNotice({ id }),
    onSuccess: (_, id) =>
      client.setQueryData(
        subscriptionQuery.queryKey,
        (state) => state && { ...state, notices: state.notices.filter((notice) => notice.id !== id) },
      ),
  });
}
