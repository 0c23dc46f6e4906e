import type { Refusal } from '@paddock/billing';
import { ApiError } from '@paddock/contract';

/** Refusals of what no person asks for. All others are errors of the contract with the same name. */
const notOfPersons = ['wrong_amount', 'nothing_owed', 'not_due', 'month_already_closed'] as const;
type OfPersons = Exclude<Refusal, (typeof notOfPersons)[number]>;

const isOfPersons = (refused: Refusal): refused is OfPersons => !notOfPersons.some((name) => name === refused);

/** The error of a refusal's name. */
export function refusal(refused: Refusal): Error {
  return isOfPersons(refused) ? new ApiError(refused) : new TypeError(`What a person asked for was refused as ${refused}.`);
}

export function declined(reason: string | null): ApiError {
  const why = reason === null ? '.' : `: ${reason.replace(/\.?$/, '.')}`;
  return new ApiError('payment_declined', { detail: `The payment was declined${why} Nothing was charged, and the plan is as before.` });
}
