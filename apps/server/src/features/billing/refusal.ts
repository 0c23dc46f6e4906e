import type { Refusal } from '@paddock/billing';
import { ApiError } from '@paddock/contract';

/** Refusals of events that no person causes. All others are errors of the contract with the same name. */
const internalRefusals = ['wrong_amount', 'nothing_owed', 'not_due', 'month_already_closed'] as const;
type UserRefusal = Exclude<Refusal, (typeof internalRefusals)[number]>;

const isUserFacing = (refused: Refusal): refused is UserRefusal => !internalRefusals.some((name) => name === refused);

/** The error for a refusal. */
export function refusal(refused: Refusal): Error {
  return isUserFacing(refused) ? new ApiError(refused) : new TypeError(`What a person asked for was refused as ${refused}.`);
}

export function declinedError(reason: string | null): ApiError {
  const why = reason === null ? '.' : `: ${reason.replace(/\.?$/, '.')}`;
  return new ApiError('payment_declined', { detail: `The payment was declined${why} You were not charged, and your plan is unchanged.` });
}
