import type { DataSubjectRequest } from '@paddock/contract';
import { countToErase, needsCount } from '@paddock/contract/erasure-counts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../../api/Loaded.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx';
import { PasswordProof } from '../../../accounts/profile/ProofFields.tsx';
import { profileQuery } from '../../../accounts/profile/queries.ts';
import { type NewErasure, useErase } from './subject-requests.ts';
import { messages, placeWords } from './words.ts';

interface Props {
  /** The request that found the data to erase. */
  preview: Pick<DataSubjectRequest, 'id' | 'places'>;
  asked: Pick<NewErasure, 'identifiers' | 'reference'>;
  onDone: (id: string) => void;
  onClose: () => void;
}

/** Shows how much would be erased, and asks for the password; for a large share of the stored data, the count must be typed as well. */
export function ConfirmErasure({ preview: { id, places }, asked, onDone, onClose }: Props) {
  const profile = useQuery(profileQuery);
  const erase = useErase();
  const [password, setPassword] = useState('');
  const count = countToErase(places);
  const isLarge = needsCount(places);
  const send = () =>
    erase.mutate(
      { id, ...asked, ...(profile.data?.has_password ? { password } : {}), ...(isLarge ? { confirmed_count: count } : {}) },
      { onSuccess: (request) => onDone(request.id) },
    );
  return (
    <ConfirmDialog
      open
      danger
      title="Erase the stored data of this person?"
      confirmLabel="Erase permanently"
      typedName={isLarge ? String(count) : 'erase'}
      onConfirm={send}
      onClose={onClose}
      busy={erase.isPending || profile.isPending}
      fields={
        profile.data ? (
          <PasswordProof hasPassword={profile.data.has_password} value={password} onChange={setPassword} error={erase.error} />
        ) : (
          <Loaded query={profile} failed={messages.profile} />
        )
      }
    >
      <Counts of={places} />
      {isLarge ? (
        <p className="mt-2">This is a large share of the stored data. Check the identifiers, and type the count to continue.</p>
      ) : null}
      <p className="mt-2">
        Bodies, addresses and names are removed from records that name the person; who did what and when, and the chain, are kept.
        Configuration and data access records keep their actor and targets. In logs and traces, [ERASED] replaces the identifiers. This
        cannot be undone.
      </p>
      <p className="mt-2">Accounts, databases of agents and existing backups are not touched.</p>
    </ConfirmDialog>
  );
}

const Counts = ({ of: places }: { of: DataSubjectRequest['places'] }) => (
  <ul aria-label="To be erased">
    {places.flatMap(({ place, found, total }) =>
      total === null
        ? []
        : [
            <li key={place}>
              {placeWords[place]?.word ?? place}: {found.toLocaleString('en')} of {total.toLocaleString('en')}
            </li>,
          ],
    )}
  </ul>
);
