import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { startSession } from '../../app/session.ts';
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
