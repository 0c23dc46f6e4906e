import type { BillingState, BudgetKind } from '@paddock/contract';
import type { PlanId } from '@paddock/contract/plans';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { readSession, updateUser } from '../../api/session.ts';
import { type Intention, useAction } from '../../api/use-action.ts';
import { planLimitsQuery } from './plan-limits/queries.ts';

/** The server meters once a minute. */
const meteredMs = 60_000;

/** All months, with one of them in full: the given month, or the newest. */
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
    mutationFn: (budget: { kind: BudgetKind; project_id: string | null; amount: number | null }) => api.usage.setBudget(budget),
    onSuccess: ({ budgets }) => client.setQueryData(budgetsQuery.queryKey, budgets),
  });
}

/** Refetch interval: a renewal may be declined at any time. */
const refreshMs = 300_000;
/** Poll interval of a payment in progress, and the maximum number of such polls. */
const runningMs = 2000;
const maxFastLooks = 150;

/** The subscription, the outstanding payment and the payment method. */
export const subscriptionQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: async ({ signal }) => withPlan(await api.billing.subscription({}, { signal })),
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    data?.payment?.state === 'running' && dataUpdateCount < maxFastLooks ? runningMs : refreshMs,
});

/** The cost of a plan at this moment, refetched since the rest of the period shrinks. */
export const quoteQuery = (plan: PlanId) =>
  queryOptions({
    queryKey: ['billing', 'quote', plan],
    refetchInterval: 60_000,
    staleTime: 0,
    queryFn: ({ signal }) => api.billing.quote({ plan }, { signal }),
  });

/** Updates the plan in the session, which the header shows, to the one in billing. */
function withPlan<State extends BillingState>(state: State): State {
  const session = readSession();
  const plan = state.subscription?.plan ?? 'free';
  if (session && session.user.plan !== plan) updateUser({ ...session.user, plan });
  return state;
}

/** A change of the subscription. Its response is the new state; after a refusal the page's state may be stale. */
function useChange<Input, State extends BillingState>(mutationFn: (input: Input, intention: Intention) => Promise<State>) {
  const client = useQueryClient();
  return useAction({
    mutationFn,
    onSuccess: (state) => client.setQueryData(subscriptionQuery.queryKey, withPlan(state)),
    onSettled() {
      // A month's cost estimate and the plan limits depend on the plan.
      for (const queryKey of [['billing'], ['usage'], planLimitsQuery.queryKey]) void client.invalidateQueries({ queryKey });
    },
  });
}

export interface Choice {
  plan: PlanId;
  isSwitch: boolean;
  /** Empty for the saved method. */
  payment_method_id: string;
}

export const useChoosePlan = () =>
  useChange(async ({ plan, isSwitch, payment_method_id }: Choice, intention) => {
    if (!isSwitch) return api.billing.subscribe({ plan, payment_method_id }, intention);
    // Chosen after the saved method was declined: it pays for this switch and later charges.
    if (payment_method_id !== '') await api.billing.setPaymentMethod({ payment_method_id });
    return api.billing.switch({ plan });
  });
export const useCancel = () => useChange<void, BillingState>(() => api.billing.cancel({}));
export const useResume = () => useChange<void, BillingState>((_input, intention) => api.billing.resume({}, intention));
export const useSetPaymentMethod = () => useChange((payment_method_id: string) => api.billing.setPaymentMethod({ payment_method_id }));
export const useConfirmPayment = () =>
  useChange((outcome: 'confirm' | 'refuse', intention) => api.billing.confirmPayment({ outcome }, intention));

/** Opens the provider's page on which a card is entered. */
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
