import { isBlank } from '@paddock/billing';
import type { ProviderId } from '../../../payments/provider.ts';
import type { AccountRow } from './store.ts';

/** Providers that move no money. */
const unpaid: readonly ProviderId[] = ['test', 'stripe_test'];

/** Whether anything of the account was paid, or is being paid, through another provider than this server's. */
export const isForeign = ({ account, provider }: AccountRow, here: ProviderId): boolean =>
  provider !== null && provider !== here && !isBlank(account);

/**
 * Whether what was paid through another provider ends here. What was paid with money does not: a server that was started without its Stripe key
 * would take away plans and credit that people paid for. It stays until Stripe is configured again, or until its period ends.
 */
export const endsWhatWasPaid = ({ provider }: AccountRow, here: ProviderId): boolean => endingAt(here).some((id) => id === provider);

/** Providers whose payments do not count here. */
export const endingAt = (here: ProviderId): ProviderId[] => unpaid.filter((id) => id !== here);
