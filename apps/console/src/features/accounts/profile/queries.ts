import type { Profile } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { endSession, readSession, updateUser } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';

export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: ({ signal }) => api.profile.get({}, { signal }) });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api.profile.sessions({}, { signal })).sessions,
  // The tab awaits this query before it renders the card, which then need not fetch again.
  staleTime: 1_000,
});

/** Refetches the profile, and the person's data shown elsewhere. */
export function useRenewProfile() {
  const client = useQueryClient();
  return () => Promise.all([client.invalidateQueries(profileQuery), client.invalidateQueries({ queryKey: ['me'] })]);
}

function useRenewSessions() {
  const client = useQueryClient();
  return () => client.invalidateQueries(sessionsQuery);
}

export interface PersonChange {
  name: string;
  /** Given only if the address was changed. */
  email?: string;
  password?: string;
}

/** Saves the name, and requests a link for a new address. */
export function useSavePerson() {
  const renew = useRenewProfile();
  return useAction({
    mutationFn: async ({ name, email, password }: PersonChange, intention) => {
      // The address first, since it may be refused.
      if (email !== undefined) await api.profile.changeEmail({ email, ...(password === undefined ? {} : { password }) }, intention);
      return api.profile.update({ name });
    },
    onSuccess: (user, { email }) => {
      updateUser(user);
      if (email === undefined) toast.success('Profile saved');
      return renew();
    },
  });
}

export function useChangePassword() {
  const renewProfile = useRenewProfile();
  const renewSessions = useRenewSessions();
  return useAction({
    mutationFn: (change: { current_password?: string; new_password: string }) => api.profile.changePassword(change),
    onSuccess: () => {
      toast.success('Password changed. Your other sessions have ended.');
      return Promise.all([renewProfile(), renewSessions()]);
    },
  });
}

export function useEndSession() {
  const renew = useRenewSessions();
  return useAction({ mutationFn: (id: string) => api.profile.endSession({ id }), onSettled: renew });
}

export function useEndOtherSessions() {
  const renew = useRenewSessions();
  return useAction({ mutationFn: () => api.profile.endOtherSessions(), onSettled: renew });
}

export const useDeleteAccount = () =>
  useAction({
    mutationFn: (proof: { password?: string; confirmation: string }) => api.profile.deleteAccount(proof),
    onSuccess: () => endSession(readSession()?.token),
  });

export const useSetUpSecondFactor = () => useAction({ mutationFn: (proof: { password?: string }) => api.twoFactor.setUp(proof) });

/** Returns the recovery codes. The profile is refetched after they are stored, not while somebody copies them. */
export const useConfirmSecondFactor = () => useAction({ mutationFn: (code: string) => api.twoFactor.confirm({ code }) });

export interface Proof {
  password?: string;
  code: string;
}
export const useRenewRecoveryCodes = () => useAction({ mutationFn: (proof: Proof) => api.twoFactor.renewRecoveryCodes(proof) });

export function useDisableSecondFactor() {
  const renew = useRenewProfile();
  return useAction({ mutationFn: (proof: Proof) => api.twoFactor.disable(proof), onSuccess: renew });
}

/** A password in the API's format: accounts without a password leave it out. */
export const given = (profile: Pick<Profile, 'has_password'>, password: string): { password?: string } =>
  profile.has_password ? { password } : {};
