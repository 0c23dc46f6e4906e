import { type AccessReviewItem, providerNames } from '@paddock/contract';
import { pluralWord } from '@paddock/contract/plural';
import type { Access, IdentityAccess, KeyAccess, PersonAccess } from './access-store.ts';

/** An entry to be added to a review. */
export interface Entry extends Pick<AccessReviewItem, 'kind' | 'name' | 'held_by' | 'grants' | 'detail' | 'last_used_at'> {
  subject_id: string;
  /** The person whose access it is. */
  user_id: string;
}

/** The entries of a review, in display order: people, their identities, keys. */
export const listEntries = ({ people, identities, keys }: Access): Entry[] => [
  ...people.map(personEntry),
  ...identities.map(identityEntry),
  ...keys.map(keyEntry),
];

function personEntry({ id, name, email, role, seen_at, ...person }: PersonAccess): Entry {
  const ways = [...(person.has_password ? ['a password'] : []), ...person.providers.map((provider) => providerNames[provider])];
  const detail = [
    `${email}.`,
    `Signs in with ${ways.join(', ') || 'nothing'}.`,
    `Two-factor sign-in is ${person.has_second_factor ? 'on' : 'off'}.`,
    `${person.sessions} open ${pluralWord(person.sessions, 'session')}.`,
  ].join(' ');
  return { kind: 'person', subject_id: id, user_id: id, name, held_by: null, grants: [role], detail, last_used_at: seen_at };
}

const identityEntry = ({ subject_id, user_id, held_by, provider, email, created_at, last_used_at }: IdentityAccess): Entry => ({
  kind: 'identity',
  subject_id,
  user_id,
  name: providerNames[provider],
  held_by,
  grants: ['sign-in'],
  detail: `${email} at ${providerNames[provider]}. Linked on ${dayOf(created_at)}.`,
  last_used_at,
});

function keyEntry({ family_id, user_id, held_by, name, scopes, last_used_at, ...key }: KeyAccess): Entry {
  const detail = [
    `${key.key_prefix}…${key.key_suffix}.`,
    `Made on ${dayOf(key.created_at)}.`,
    key.expires_at === null ? 'Never expires.' : `Expires on ${dayOf(key.expires_at)}.`,
    ...(key.last_used_ip === null ? [] : [`Last used from ${key.last_used_ip}.`]),
  ].join(' ');
  return { kind: 'api_key', subject_id: family_id, user_id, name, held_by, grants: scopes, detail, last_used_at };
}

const dayOf = (at: string) => at.slice(0, 10);
