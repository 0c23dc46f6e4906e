import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import { demoSession } from '../demo-account.ts';
import type { DemoPerson } from './person.ts';

export function demoAccounts(person: DemoPerson): Client<typeof contract>['accounts'] {
  return {
    signup: () => Promise.reject(new ApiError('email_taken', { detail: 'The demo has one account. Sign out to create your own.' })),
    login: ({ email, password }) =>
      answer(() => {
        const session = demoSession(email, password);
        if (!session) throw new ApiError('credentials_wrong');
        return session;
      }),
    logout: () => answer(() => null),
    me: () => answer(() => person.user),
    forgot: () => answer(() => null),
    reset: () => Promise.reject(new ApiError('link_invalid')),
    verify: () => Promise.reject(new ApiError('link_invalid')),
    resendVerification: () => answer(() => null),
  };
}
