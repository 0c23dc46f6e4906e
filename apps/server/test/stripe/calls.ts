import type { Intent, Method, StripeBooks, StripeProblem } from './books.ts';
import { testCards } from './cards.ts';

export type Form = { [name: string]: Form | string };
export interface Asked {
  /** The parts of the path after /v1. */
  path: string[];
  form: Form;
}
/** A response with a status other than 200. */
export class StripeAnswer extends Error {
  override name = 'StripeAnswer';
  status: number;
  problem: StripeProblem;
  constructor(status: number, problem: StripeProblem) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}
type Call = (books: StripeBooks, asked: Asked, origin: string) => unknown;

const text = (value: Form | string | undefined) => (typeof value === 'string' ? value : '');
const texts = (value: Form | string | undefined): Record<string, string> =>
  typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, text(each)])) : {};
const wrong = (message: string, more: Partial<StripeProblem> = {}) =>
  new StripeAnswer(400, { type: 'invalid_request_error', message, ...more });
const missing = (kind: string, id: string, param = 'id') =>
  new StripeAnswer(kind === 'payment_intent' || kind === 'customer' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });

function customerOf(books: StripeBooks, id: string) {
  const customer = books.customers.get(id);
  if (!customer || customer.deleted) throw missing('customer', id, 'customer');
  return customer;
}
function intentOf(books: StripeBooks, id = ''): Intent {
  const intent = books.intents.get(id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  return intent;
}
function methodOf(books: StripeBooks, id = ''): Method {
  const method = books.methods.get(id);
  if (!method) throw missing('PaymentMethod', id, 'payment_method');
  return method;
}

/** A card entered on Stripe's page, or created from one of its test methods. */
export function enterCard(books: StripeBooks, card_id: string): Method {
  const card = testCards[card_id];
  if (!card) throw missing('PaymentMethod', card_id, 'payment_method');
  const method: Method = {
    id: books.newId('pm'),
    object: 'payment_method',
    type: 'card',
    created: books.tick(),
    customer: null,
    card: { brand: card.brand, last4: card.last4, exp_month: 11, exp_year: 2031 },
    metadata: {},
  };
  books.methods.set(method.id, method);
  books.cards.set(method.id, card);
  return method;
}

const unexpected = ({ status }: Intent, verb: string) =>
  wrong(`This PaymentIntent could not be ${verb} because it has a status of ${status}.`, { code: 'payment_intent_unexpected_state' });

function decline(books: StripeBooks, intent: Intent, problem: Omit<StripeProblem, 'type'>): StripeAnswer {
  const method = methodOf(books, intent.payment_method ?? '');
  const error: StripeProblem = { type: 'card_error', ...problem, payment_method: method };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error, next_action: null });
  books.tell('payment_intent.payment_failed', intent);
  return new StripeAnswer(402, { ...error, payment_intent: structuredClone(intent) });
}

/** The bank's response to a charge. */
export function settle(books: StripeBooks, intent: Intent): StripeAnswer | undefined {
  const card = books.cards.get(intent.payment_method ?? '');
  if (card?.declines) return decline(books, intent, card.declines);
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null, next_action: null });
  books.tell('payment_intent.succeeded', intent);
  return undefined;
}

export function failAuthentication(books: StripeBooks, intent: Intent): void {
  const message =
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.';
  decline(books, intent, { code: 'payment_intent_authentication_failure', message });
}

function confirm(books: StripeBooks, { path, form }: Asked, origin: string): Intent {
  const intent = intentOf(books, path[1]);
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
    throw unexpected(intent, 'confirmed');
  const id = text(form.payment_method) || intent.payment_method;
  if (!id) throw wrong('You cannot confirm this PaymentIntent because it’s missing a payment method.', { code: 'parameter_missing' });
  if (methodOf(books, id).customer !== intent.customer) throw wrong('The payment method supplied does not belong to the customer.');
  intent.payment_method = id;
  const card = books.cards.get(id);
  if (card?.asksPerson && form.off_session === 'true') {
    const message = 'Your card was declined. This transaction requires authentication.';
    throw decline(books, intent, { code: 'authentication_required', decline_code: 'authentication_required', message });
  }
  if (card?.asksPerson) {
    const redirect_to_url = { url: `${origin}/authenticate/${intent.id}`, return_url: text(form.return_url) };
    Object.assign(intent, {
      status: 'requires_action',
      last_payment_error: null,
      next_action: { type: 'redirect_to_url', redirect_to_url },
    });
    books.tell('payment_intent.requires_action', intent);
    return intent;
  }
  const refused = settle(books, intent);
  if (refused) throw refused;
  return intent;
}

export const calls: Record<string, Call> = {
  'POST customers'(books, { form }) {
    const customer = { id: books.newId('cus'), object: 'customer' as const, name: text(form.name), email: text(form.email) };
    const made = { ...customer, metadata: texts(form.metadata) };
    books.customers.set(made.id, made);
    return made;
  },
  'DELETE customers/:id'(books, { path: [, id = ''] }) {
    const customer = customerOf(books, id);
    customer.deleted = true;
    for (const method of books.methods.values()) if (method.customer === id) method.customer = null;
    return { id, object: 'customer', deleted: true };
  },
  'GET payment_methods/:id': (books, { path }) => methodOf(books, path[1]),
  'GET payment_methods'(books, { form }) {
    const data = [...books.methods.values()].filter(({ customer }) => customer === text(form.customer));
    return { object: 'list', has_more: false, data };
  },
  'POST payment_methods/:id/attach'(books, { path: [, id = ''], form }) {
    const customer = customerOf(books, text(form.customer));
    const isTest = id.startsWith('pm_card_');
    const method = isTest ? enterCard(books, id) : methodOf(books, id);
    const card = books.cards.get(method.id);
    if (card?.isRefusedAtOnce) throw new StripeAnswer(402, { type: 'card_error', ...card.declines!, payment_method: method });
    if (method.customer !== null) throw wrong('The payment method you provided has already been attached to a customer.');
    if (method.metadata.detached)
      throw wrong(
        'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
      );
    method.customer = customer.id;
    return method;
  },
  'POST payment_methods/:id/detach'(books, { path }) {
    const method = methodOf(books, path[1]);
    if (method.customer === null) throw wrong('The payment method you provided is not attached to a customer so detachment is impossible.');
    Object.assign(method, { customer: null, metadata: { detached: 'yes' } });
    return method;
  },
  'POST payment_intents'(books, { form }) {
    const amount = Number(form.amount);
    if (amount < 50) throw wrong('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
    const id = books.newId('pi');
    const intent: Intent = {
      id,
      object: 'payment_intent',
      livemode: books.isLive,
      amount,
      amount_received: 0,
      currency: text(form.currency),
      customer: customerOf(books, text(form.customer)).id,
      description: text(form.description),
      status: 'requires_payment_method',
      payment_method: null,
      metadata: texts(form.metadata),
      last_payment_error: null,
      next_action: null,
      client_secret: `${id}_secret_canary`,
    };
    books.intents.set(id, intent);
    return intent;
  },
  'GET payment_intents/:id': (books, { path }) => intentOf(books, path[1]),
  'POST payment_intents/:id'(books, { path, form }) {
    const intent = intentOf(books, path[1]);
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw unexpected(intent, 'updated');
    const id = text(form.payment_method);
    if (id && methodOf(books, id).customer !== intent.customer) throw wrong('The payment method supplied does not belong to the customer.');
    Object.assign(intent.metadata, texts(form.metadata));
    // Stripe's documentation: "cleared if the PaymentIntent is later updated for any reason".
    Object.assign(intent, { last_payment_error: null, next_action: null });
    if (id) Object.assign(intent, { payment_method: id, status: 'requires_confirmation' });
    return intent;
  },
  'POST payment_intents/:id/confirm': confirm,
  'POST payment_intents/:id/cancel'(books, { path }) {
    const intent = intentOf(books, path[1]);
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw unexpected(intent, 'canceled');
    Object.assign(intent, { status: 'canceled', next_action: null });
    books.tell('payment_intent.canceled', intent);
    return intent;
  },
  'GET refunds'(books, { form }) {
    const data = [...books.refunds.values()].filter(({ payment_intent }) => payment_intent === text(form.payment_intent));
    return { object: 'list', has_more: false, data };
  },
  'POST refunds'(books, { form }) {
    const intent = intentOf(books, text(form.payment_intent));
    const before = [...books.refunds.values()].filter((each) => each.payment_intent === intent.id && each.status === 'succeeded');
    const left = intent.amount_received - before.reduce((sum, each) => sum + each.amount, 0);
    if (left === 0) throw wrong(`Charge has already been refunded.`, { code: 'charge_already_refunded' });
    const amount = Number(form.amount);
    if (amount > left) throw wrong(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, { param: 'amount' });
    const made = { id: books.newId('re'), object: 'refund' as const, payment_intent: intent.id, amount, status: 'succeeded' as const };
    const refund = { ...made, metadata: texts(form.metadata) };
    books.refunds.set(refund.id, refund);
    return refund;
  },
  'POST checkout/sessions'(books, { form }, origin) {
    const id = books.newId('cs');
    const setup = typeof form.setup_intent_data === 'object' ? form.setup_intent_data : {};
    const session = {
      id,
      object: 'checkout.session' as const,
      mode: text(form.mode),
      url: `${origin}/checkout/${id}`,
      customer: customerOf(books, text(form.customer)).id,
      client_reference_id: text(form.client_reference_id),
      success_url: text(form.success_url),
      cancel_url: text(form.cancel_url),
      setup_metadata: texts(setup.metadata),
    };
    books.sessions.set(id, session);
    return session;
  },
};
