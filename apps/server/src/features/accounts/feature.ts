import type { FindSession } from '../../http/authenticate.ts';
import { eachOf } from '../../jobs/each.ts';
import type { Offered, Parts } from '../../parts.ts';
import { keyAddresses } from './addresses.ts';
import { deviceTokens } from './device-tokens.ts';
import { linkStore } from './link-store.ts';
import { passwords } from './passwords.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { profileStore } from './profile/profile-store.ts';
import { type Reauthenticate, reauthentication } from './profile/reauthenticate.ts';
import { removeDeletedTeams } from './profile/teams.ts';
import { providerAccounts } from './provider-accounts.ts';
import { type FirstProof, recoveryHandlers } from './recovery/recovery-routes.ts';
import { resetRequests } from './recovery/reset-requests.ts';
import { type AttemptLimits, accountRoutes, attemptLimits } from './routes.ts';
import { type OpenSession, sessionOpener } from './sessions.ts';
import { signUp } from './sign-up.ts';
import { accountStore } from './store.ts';
import { tokenHash } from './tokens.ts';
import { type SecondFactor, secondFactor as secondFactors } from './two-factor/two-factor.ts';
import { twoFactorRoutes } from './two-factor/two-factor-routes.ts';
import { twoFactorStore } from './two-factor/two-factor-store.ts';

type Own = Pick<Parts, 'sql' | 'seal' | 'limit' | 'sendMail' | 'reserve' | 'log'>;

interface Needs {
  most?: AttemptLimits | undefined;
  /** What a stranger may have planted in an account that was made with somebody else's address; void once its owner proves it. */
  onFirstProof: FirstProof[];
  projects: Parameters<typeof removeDeletedTeams>[2] & { deleteAll: Parameters<typeof profileRoutes>[0]['endProjects'] };
}

interface Gives {
  findSession: FindSession;
  openSession: OpenSession;
  secondFactor: SecondFactor;
  reauthenticate: Reauthenticate;
  /** Accounts as providers find and make them. */
  ofProviders: ReturnType<typeof providerAccounts>;
  /** Answers the next request for a link that sets a new password. */
  answerReset: () => Promise<boolean>;
}

export function accountFeature(
  { sql, seal, limit, sendMail, reserve, log }: Own,
  { most = attemptLimits, onFirstProof, projects }: Needs,
): Offered<Gives> {
  const [store, links, hasher, devices] = [accountStore(sql), linkStore(sql), passwords(), deviceTokens(sql)];
  const openSession = sessionOpener(store, devices, sendMail);
  const secondFactor = secondFactors(twoFactorStore(sql), seal, limit, devices.knownAs);
  const profiles = profileStore(sql, links);
  const reauthenticate = reauthentication(profiles, hasher, limit);
  const requests = resetRequests(sql);
  const recovery = recoveryHandlers({
    sql,
    store,
    links,
    requests,
    devices,
    hash: hasher.hash,
    sendMail,
    onFirstProof: [...onFirstProof, secondFactor.forget],
    limit,
    most,
  });
  const eachTeam = eachOf(log, 'removing a deleted team', { reserve, need: 'removal' });
  return {
    routes: [
      accountRoutes({
        store,
        passwords: hasher,
        openSession,
        secondFactor,
        signUp: signUp(sql, store, links, sendMail),
        recovery,
        devices,
        limit,
        most,
      }),
      profileRoutes({
        store: profiles,
        accounts: store,
        passwords: hasher,
        reauthenticate,
        devices,
        sendMail,
        limit,
        most,
        endProjects: projects.deleteAll,
      }),
      twoFactorRoutes({ secondFactor, reauthenticate, sendMail }),
    ],
    jobs: [
      { name: 'team.delete', everySeconds: 2, run: () => removeDeletedTeams(sql, profiles, projects, eachTeam) },
      { name: 'known-device.sweep', everySeconds: 3600, run: () => profiles.forgetOldDevices() },
      { name: 'device-token.sweep', everySeconds: 3600, run: () => devices.forgetOld() },
      { name: 'address.key', everySeconds: 60, run: () => keyAddresses(sql) },
      { name: 'session.sweep', everySeconds: 600, run: () => store.removeExpiredSessions() },
      { name: 'mailed-link.sweep', everySeconds: 600, run: () => links.removeExpired() },
    ],
    gives: {
      findSession: (token, from) => store.session(tokenHash(token), from),
      openSession,
      secondFactor,
      reauthenticate,
      ofProviders: providerAccounts(store, links, sendMail, limit, most.signups),
      answerReset: () => requests.answerNext(store, links, sendMail),
    },
  };
}
