import type { Provider } from '@paddock/contract';

/** The claims of a provider about a person, unchecked. */
export type Claims = Record<string, unknown>;

interface ProviderKind {
  /** The public issuer; settings may name another. */
  issuer: string;
  scope: string;
  /** Plain OAuth 2 without a discovery document and ID tokens; an API returns the person. */
  plain?: true;
  /** Permanent id of the person at the provider; undefined when the claims lack it. */
  subject: (claims: Claims) => string | undefined;
  /** Whether the provider has verified the e-mail address. */
  vouches: (claims: Claims) => boolean;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' && value.length <= 255 ? value : undefined);
/** Both parts or undefined: neither is unique by itself. */
const pair = (one: unknown, two: unknown) => (text(one) && text(two) ? `${text(one)}:${text(two)}` : undefined);
// The standard defines a boolean. A string is non-standard, and "false" would be truthy.
const saysVerified = ({ email_verified }: Claims) => email_verified === true;

export const providerKinds: Record<Provider, ProviderKind> = {
  google: { issuer: 'https://accounts.google.com', scope: 'openid email profile', subject: ({ sub }) => text(sub), vouches: saysVerified },
  github: {
    issuer: 'https://github.com',
    scope: 'read:user user:email',
    plain: true,
    subject: ({ id }) => (Number.isSafeInteger(id) ? String(id) : undefined), // the login can be released and taken by others
    vouches: saysVerified,
  },
  microsoft: {
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    scope: 'openid email profile',
    // `sub` differs per application, and `oid` is unique within its tenant only.
    subject: ({ tid, oid }) => pair(tid, oid),
    // An administrator of any tenant may enter any address. `xms_edov` means that the owner of its domain was verified, and comes in several types.
    vouches: ({ xms_edov }) => xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true',
  },
  gitlab: { issuer: 'https://gitlab.com', scope: 'openid email profile', subject: ({ sub }) => text(sub), vouches: saysVerified },
  slack: {
    issuer: 'https://slack.com',
    scope: 'openid email profile',
    // Ids of people are unique within their workspace.
    subject: (claims) => pair(claims['https://slack.com/team_id'], claims.sub),
    vouches: saysVerified,
  },
};

/** Within a realm a subject identifies the same person. Microsoft's subject contains its tenant, whichever issuer was used. */
export const realm = (issuer: string) => (URL.parse(issuer)?.hostname === 'login.microsoftonline.com' ? new URL(issuer).origin : issuer);
