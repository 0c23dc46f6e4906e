import { isSameAddress } from '@paddock/contract/email-address';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { endSession, readSession, startSession, updateUser } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { demoSession } from './demo-account.ts';

type Credentials = { email: string; password: string; remember: boolean; code?: string };

/** Signs in and keeps the session; the routes lead on from there. The demo credentials stay in the browser. */
export const useLogin = () =>
  useAction({
    mutationFn: async (credentials: Credentials) =>
      demoSession(credentials.email, credentials.password) ?? (await api.accounts.login(credentials)),
    onSuccess: (session, { remember }) => startSession(session, remember),
  });

export const useSignup = () =>
  useAction({
    mutationFn: (person: { email: string; password: string; name: string }, intention) => api.accounts.signup(person, intention),
  });

export const useForgotPassword = () => useAction({ mutationFn: (email: string, intention) => api.accounts.forgot({ email }, intention) });

/** Sets the new password. Every session of the account has ended then; if one of them is kept here, it is forgotten. */
export const useResetPassword = () =>
  useAction({
    mutationFn: (given: { token: string; password: string }, intention) => api.accounts.reset(given, intention),
    onSuccess: () => endSession(),
  });

/** Verifies the address, and renews what is shown of the person who is signed in here. */
export function useVerifyEmail() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: async (token: string, intention) => (await api.accounts.verify({ token }, intention)).email,
    onSuccess: async (email) => {
      const session = readSession();
      if (!session || !isSameAddress(session.user.email, email)) return;
      updateUser({ ...session.user, email_verified: true });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
