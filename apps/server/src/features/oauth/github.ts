import * as client from 'openid-client';
import { ProviderAway } from './bounded-fetch.ts';
import type { Claims } from './providers.ts';

/** GitHub has no discovery document; its endpoints are the same on github.com and on a self-hosted server. */
export const githubEndpoints = (issuer: URL) => ({
  authorization_endpoint: `${withoutSlash(issuer)}/login/oauth/authorize`,
  token_endpoint: `${withoutSlash(issuer)}/login/oauth/access_token`,
});

function resolveApi(issuer: URL): string {
  if (issuer.hostname === 'github.com' || issuer.hostname.endsWith('.ghe.com')) return `https://api.${issuer.hostname}`;
  return `${withoutSlash(issuer)}/api/v3`;
}

/** The person of a token, as claims like those of the other providers: with the primary address, and whether GitHub has verified it. */
export async function githubClaims(config: client.Configuration, token: string, issuer: URL): Promise<Claims> {
  const read = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'Paddock' });
    const url = new URL(resolveApi(issuer) + path);
    const answer = await client.fetchProtectedResource(config, token, url, 'GET', null, headers);
    if (!answer.ok) throw new ProviderAway(`${url.host}${path} answered ${answer.status}`);
    return answer.json().catch(() => {
      throw new ProviderAway(`${url.host}${path} answered something else than JSON`);
    });
  };
  const [{ id, login, name }, emails] = [Object(await read('/user')) as Claims, await read('/user/emails')];
  const primary = (Array.isArray(emails) ? emails : []).map((each) => Object(each) as Claims).find((each) => each.primary === true);
  return { id, login, name, email: primary?.email, email_verified: primary?.verified };
}

const withoutSlash = (url: URL) => url.href.replace(/\/$/, '');
