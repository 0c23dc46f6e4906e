import type { Mention } from './mention.ts';

const callback = /^@(?:cl|chainlit)\.(password_auth|oauth|header_auth)_callback\b/m;
/** Names of the services that Chainlit signs people in by, as its variables begin. Source: Chainlit's documentation of OAuth. */
const services: [sign: RegExp, prefix: string][] = [
  [/google/i, 'OAUTH_GOOGLE'],
  [/github/i, 'OAUTH_GITHUB'],
  [/azure/i, 'OAUTH_AZURE_AD'],
  [/okta/i, 'OAUTH_OKTA'],
  [/auth0/i, 'OAUTH_AUTH0'],
  [/keycloak/i, 'OAUTH_KEYCLOAK'],
  [/gitlab/i, 'OAUTH_GITLAB'],
];

/** Variables that Chainlit itself requires as soon as a page signs people in. */
export function requiredByChainlit(source: string, file: string): Mention[] {
  const found = callback.exec(source);
  if (found === null) return [];
  const at = `${file}:${source.slice(0, found.index).split('\n').length}`;
  const [service, ...others] = found[1] === 'oauth' ? services.filter(([sign]) => sign.test(source)) : [];
  const ofService = service === undefined || others.length > 0 ? [] : [`${service[1]}_CLIENT_ID`, `${service[1]}_CLIENT_SECRET`];
  return ['CHAINLIT_AUTH_SECRET', ...ofService].map((name) => ({ name, at, need: 'required' }));
}
