import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { updateUser } from '../../../api/session.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { DeleteAccountCard } from './DeleteAccountCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PersonForm } from './PersonForm.tsx';
import { profileQuery, sessionsQuery } from './queries.ts';
import { SessionsCard } from './SessionsCard.tsx';
import { TwoFactorCard } from './TwoFactorCard.tsx';

/**
 * The person's data and the security of the account. `providers` is the card of linked sign-in providers, `isWaiting` whether that card is
 * still loading. All cards appear at once: a card that loads later would push 'Delete account' away under the pointer.
 */
export function ProfileTab({ providers, isWaiting }: { providers: ReactNode; isWaiting: boolean }) {
  const query = useQuery(profileQuery);
  const profile = query.data;
  const sessions = useQuery(sessionsQuery);
  const isIncomplete = isWaiting || (sessions.isPending && sessions.failureCount === 0);
  // The profile may have changed in another tab, for example by a mailed link: update the rest of the console.
  useEffect(() => {
    if (!profile) return;
    const { id, email, name, plan, email_verified } = profile;
    updateUser({ id, email, name, plan, email_verified });
  }, [profile]);
  if (!profile || isIncomplete)
    return query.error && !profile ? (
      <Loaded query={query} failed="Your profile could not be loaded. Nothing was changed." />
    ) : (
      <Skeleton rows={2} kind="cards" />
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex gap-4 max-lg:flex-col">
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <PersonForm key={profile.email} profile={profile} />
          <TwoFactorCard profile={profile} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <PasswordForm profile={profile} />
          {providers}
        </div>
      </div>
      <SessionsCard />
      <DeleteAccountCard profile={profile} />
    </div>
  );
}
