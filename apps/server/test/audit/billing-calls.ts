import type { Prepare } from './prepared.ts';

const visa = 'pm_card_visa';

/** Prepares each call about plans and payments. */
export const billingCalls: Record<string, Prepare> = {
  'billing.subscribe': async (w) => {
    await w.api.billing.setPaymentMethod({ payment_method_id: 'pm_card_amex' });
    return { press: (api) => api.billing.subscribe({ plan: 'pro', payment_method_id: visa }), target: w.team_id };
  },
  'billing.switch': async (w) => {
    await w.api.billing.subscribe({ plan: 'starter', payment_method_id: visa });
    return { press: (api) => api.billing.switch({ plan: 'pro' }), target: w.team_id };
  },
  'billing.cancel': async (w) => {
    await w.api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
    return { press: (api) => api.billing.cancel(), target: w.team_id };
  },
  'billing.resume': async (w) => {
    await w.api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
    await w.api.billing.cancel();
    return { press: (api) => api.billing.resume(), target: w.team_id };
  },
  'billing.setPaymentMethod': async (w) => {
    await w.api.billing.setPaymentMethod({ payment_method_id: 'pm_card_amex' });
    return { press: (api) => api.billing.setPaymentMethod({ payment_method_id: visa }), target: w.team_id };
  },
  'invoices.pdf': async (w) => {
    await w.api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
    const [invoice] = (await w.api.invoices.list()).invoices;
    return { press: (api) => api.invoices.pdf({ id: invoice!.id }), target: invoice!.id };
  },
  'billing.confirmPayment': async (w) => {
    await w.api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
    return { press: (api) => api.billing.confirmPayment({}), target: w.team_id };
  },
};
