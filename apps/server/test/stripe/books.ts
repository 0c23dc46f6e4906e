import { randomBytes } from 'node:crypto';
import type { TestCard } from './cards.ts';

type Metadata = Record<string, string>;
export interface Customer {
  id: string;
  object: 'customer';
  name: string;
  email: string;
  metadata: Metadata;
  deleted?: true;
}
export interface Method {
  id: string;
  object: 'payment_method';
  type: 'card';
  created: number;
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
  metadata: Metadata;
}
export interface StripeProblem {
  type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error';
  code?: string;
  decline_code?: string;
  message: string;
  param?: string;
  payment_method?: Method;
  payment_intent?: Intent;
}
export interface Intent {
  id: string;
  object: 'payment_intent';
  livemode: boolean;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  description: string | null;
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  payment_method: string | null;
  metadata: Metadata;
  last_payment_error: StripeProblem | null;
  next_action: { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } } | null;
  client_secret: string;
}
export interface Refund {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  status: 'succeeded' | 'failed';
  metadata: Metadata;
}
export interface SetupSession {
  id: string;
  object: 'checkout.session';
  mode: string;
  url: string;
  customer: string;
  client_reference_id: string | null;
  success_url: string;
  cancel_url: string;
  setup_metadata: Metadata;
}
export interface StripeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  livemode: boolean;
  data: { object: object };
}

/** Stripe's books: the state of the stand-in. */
export function stripeBooks(isLive = false) {
  const customers = new Map<string, Customer>();
  const methods = new Map<string, Method>();
  const cards = new Map<string, TestCard>();
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, Refund>();
  const sessions = new Map<string, SetupSession>();
  const events: StripeEvent[] = [];
  let seconds = 1_700_000_000;
  return {
    customers,
    methods,
    cards,
    intents,
    refunds,
    sessions,
    /** Every event so far, in order of occurrence: tests deliver them as they like. */
    events,
    isLive,
    newId: (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`,
    /** Each object is created a second after the previous one. */
    tick: () => ++seconds,
    tell(type: string, object: object) {
      const event: StripeEvent = {
        id: `evt_${randomBytes(12).toString('hex')}`,
        object: 'event',
        type,
        created: seconds,
        livemode: isLive,
        data: { object: structuredClone(object) },
      };
      events.push(event);
    },
    /** Cents that a team paid minus refunds. */
    moved(team_id: string): number {
      const paid = [...intents.values()].filter(({ status, metadata }) => status === 'succeeded' && metadata.team_id === team_id);
      const back = (id: string) => [...refunds.values()].filter((each) => each.payment_intent === id && each.status === 'succeeded');
      return paid.reduce((sum, { id, amount_received }) => sum + amount_received - back(id).reduce((all, each) => all + each.amount, 0), 0);
    },
  };
}
export type StripeBooks = ReturnType<typeof stripeBooks>;
