import type { Core, Feature } from '../../core.ts';
import { oauthClients } from './clients.ts';
import { type OAuthLimits, type OAuthParts, oauthLimits, oauthRoutes } from './routes.ts';
import { type Accounts, type Ways, waysIn } from './sign-in.ts';
import { oauthStates, removeExpiredStates } from './states.ts';
import { type IdentityStore, identityStore } from './store.ts';

type Deps = Pick<Core, 'sql' | 'seal' | 'config' | 'limit' | 'sendMail' | 'log'>;

interface FeatureDeps extends Pick<OAuthParts, 'openSession' | 'secondFactor' | 'reauthenticate'> {
  ofProviders: Accounts;
  maxAttempts?: OAuthLimits | undefined;
}

export function oauthFeature(
  { sql, seal, config, limit, sendMail, log }: Deps,
  { ofProviders, maxAttempts = oauthLimits, openSession, secondFactor, reauthenticate }: FeatureDeps,
): Feature<{ unlink: Ways['unlinkWithin'] }> {
  const ways = waysIn(identityStore(sql), ofProviders, sendMail);
  return {
    routes: [
      oauthRoutes({
        clients: oauthClients(config.oauth, config.publicUrl, log),
        states: oauthStates(sql, seal),
        ways,
        limit,
        maxAttempts,
        openSession,
        secondFactor,
        reauthenticate,
      }),
    ],
    jobs: [{ name: 'oauth-state.sweep', everySeconds: 600, run: () => removeExpiredStates(sql) }],
    exports: { unlink: ways.unlinkWithin },
  };
}

/** For the verification of an address that a stranger had signed up with: removes the stranger's providers from the account. */
export const unlinkAll = ({ sql }: Pick<Core, 'sql'>): IdentityStore['removeAll'] => identityStore(sql).removeAll;
