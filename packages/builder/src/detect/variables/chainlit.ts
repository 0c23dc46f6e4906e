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
  const ofPassword = found[1] === 'password_auth' ? readToCompare(source.slice(found.index + 1, found.index + maxCharacters)) : [];
  return ['CHAINLIT_AUTH_SECRET', ...ofService, ...ofPassword].map((name) => ({ name, at, need: 'required' }));
}

const maxCharacters = 5000;
const compared = /\b(?:getenv\(|environ(?:\.get\(|\[))["']([A-Z][A-Z0-9_]{1,63})["'][)\]]( {0,3}or\b)?/g;

/** Variables without a default in the function that compares a password: without them nobody can sign in. */
function readToCompare(source: string): string[] {
  const from = source.indexOf('def ');
  const [body = ''] = source.slice(Math.max(0, from)).split(/\n(?=[@A-Za-z_])/, 1);
  // It lets everybody in if nothing is set.
  const lines = body.split('\n').map((line) => line.trim());
  const isOpen = lines.some(
    (line, at) => line.startsWith('if not ') && /^return (?:\w|\()/.test(lines[at + 1] ?? '') && !isRefusal(lines[at + 1]),
  );
  if (isOpen) return [];
  return [...body.matchAll(compared)].flatMap(([, name = '', other]) => (other === undefined ? name : []));
}

const isRefusal = (line = '') => /^return (?:None|False)\b/.test(line);

const ofPair = /^(OAUTH_[A-Z0-9_]{1,40})_CLIENT_(?:ID|SECRET)$/;

/**
 * The need for the variables by which Chainlit signs people in with OAuth: the ID and the secret of the only service that is named are both
 * required; of several services one is enough, so none alone is. Undefined for other names.
 */
export function needOfSignIn(names: string[], sources: string[]): (name: string) => boolean | undefined {
  const services = new Set(names.flatMap((name) => ofPair.exec(name)?.[1] ?? []));
  const isUsed = services.size > 0 && sources.some((source) => callback.exec(source)?.[1] === 'oauth');
  return (name) => (isUsed && ofPair.test(name) ? services.size === 1 : undefined);
}
