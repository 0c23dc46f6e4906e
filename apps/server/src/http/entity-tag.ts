import { createHash } from 'node:crypto';
import { ApiError } from '@paddock/contract';

/** The strong entity tag of a state (RFC 9110, section 8.8.3): two states that differ have different tags. */
export const entityTag = (state: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`;

/** Throws precondition_failed unless If-Match contains the current tag. */
export type MustMatch = (etag: string) => void;

/** The check of a request's If-Match (RFC 9110, section 13.1.1): `*` matches everything that exists, and a weak tag matches nothing. */
export const mustMatchBy =
  (ifMatch: string | undefined): MustMatch =>
  (etag) => {
    if (ifMatch === undefined || ifMatch.trim() === '*') return;
    if (!ifMatch.split(',').some((tag) => tag.trim() === etag)) throw new ApiError('precondition_failed');
  };
