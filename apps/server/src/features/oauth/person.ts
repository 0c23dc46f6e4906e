import { ApiError, accounts, type Provider, providerNames } from '@paddock/contract';
import { type Claims, providerKinds } from './providers.ts';

/** A person confirmed by a provider, in storable form. */
export interface ProvedPerson {
  provider: Provider;
  issuer: string;
  subject: string;
  email: string;
  /** The provider has verified the address. */
  is_email_verified: boolean;
  name: string;
}

const { email: emailRule } = accounts.signup.input.shape;
const maxNameLength = 120;

/** Validates the claims of a provider. Throws provider_refused without a subject, provider_email_missing without an address. */
export function provedPerson(provider: Provider, issuer: string, claims: Claims): ProvedPerson {
  const kind = providerKinds[provider];
  const subject = kind.subject(claims);
  if (subject === undefined || unsafe.test(subject))
    throw new ApiError('provider_refused', { detail: `${providerNames[provider]} did not say who you are there. Start again.` });
  const email = emailRule.safeParse(claims.email);
  if (!email.success || unsafe.test(email.data))
    throw new ApiError('provider_email_missing', {
      detail: `${providerNames[provider]} did not share a usable e-mail address. Add one to your account there and allow Paddock to read it.`,
    });
  const name = [claims.name, claims.preferred_username, claims.login].map(plainName).find(Boolean) ?? plainName(email.data.split('@')[0]);
  return { provider, issuer, subject, email: email.data, is_email_verified: kind.vouches(claims), name: name || 'Unnamed' };
}

// Control and formatting characters, which reverse or hide text, and lone surrogates.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function plainName(value: unknown): string {
  if (typeof value !== 'string') return '';
  const plain = value.slice(0, 1000).replace(new RegExp(unsafe, 'gu'), ' ').replace(/\s+/g, ' ').trim();
  return Array.from(plain).slice(0, maxNameLength).join('').trim();
}
