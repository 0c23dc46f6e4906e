import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureText, requestId } from '../../../app/failure.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { DeleteAccountCard } from './DeleteAccountCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PersonForm } from './PersonForm.tsx';
import { profileQuery } from './queries.ts';
import { SessionsCard } from './SessionsCard.tsx';
import { TwoFactorCard } from './TwoFactorCard.tsx';

/** Who somebody is, and what keeps the account theirs. `providers` is the card of linked sign-in providers. */
export function ProfileTab({ providers }: { providers?: ReactNode }) {
  const { data: profile, error, refetch, isFetching } = useQuery(profileQuery);
  if (!profile)
    return error ? (
      <ErrorState
        message={failureText(error, 'Your profile could not be loaded. Nothing was changed.') ?? ''}
        requestId={requestId(error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
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
