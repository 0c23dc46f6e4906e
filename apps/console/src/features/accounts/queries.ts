import { isSameAddress } from '@paddock/contract/email-address';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { endSession, readSession, startSession, updateUser } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { demoSession } from './demo-account.ts';

type Credentials = { email: string; password: string; remember: boolean; code?: string };

/** Signs in and stores the session; the route guards then redirect. The demo credentials never leave the browser. */
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

/** Sets the new password, which ends every session of the account. The session of this browser is forgotten, too. */
export const useResetPassword = () =>
  useAction({
    mutationFn: (given: { token: string; password: string }, intention) => api.accounts.reset(given, intention),
    onSuccess: () => endSession(),
  });

/** Verifies the address, and refetches the signed-in person. */
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
