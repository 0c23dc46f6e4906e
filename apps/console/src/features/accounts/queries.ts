import { isSameAddress } from '@paddock/contract/email-address';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { endSession, readSession, startSession, updateUser } from '../../app/session.ts';
import { demoSession } from '../../demo/demo-account.ts';

type Credentials = { email: string; password: string; remember: boolean; code?: string };

/** Signs in and keeps the session; the routes lead on from there. The demo credentials stay in the browser. */
export const useLogin = () =>
  useMutation({
    mutationFn: async (credentials: Credentials) =>
      demoSession(credentials.email, credentials.password) ?? (await api.accounts.login(credentials)),
    onSuccess: (session, { remember }) => startSession(session, remember),
  });

export const useSignup = () =>
  useMutation({ mutationFn: (person: { email: string; password: string; name: string }) => api.accounts.signup(person) });

export const useForgotPassword = () => useMutation({ mutationFn: (email: string) => api.accounts.forgot({ email }) });

/** Sets the new password. Every session of the account has ended then; if one of them is kept here, it is forgotten. */
export const useResetPassword = () =>
  useMutation({
    mutationFn: (given: { token: string; password: string }) => api.accounts.reset(given),
    onSuccess: () => endSession(),
  });

/** Verifies the address, and renews what is shown of the person who is signed in here. */
export function useVerifyEmail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => (await api.accounts.verify({ token })).email,
    onSuccess: async (email) => {
      const session = readSession();
      if (!session || !isSameAddress(session.user.email, email)) return;
      updateUser({ ...session.user, email_verified: true });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
