import { randomUUID } from 'node:crypto';
import type { Core, Feature } from '../../core.ts';
import type { FindSession } from '../../http/authenticate.ts';
import { createIsolatedLoop } from '../../jobs/isolated-loop.ts';
import { keyAddresses } from './addresses.ts';
import { type AttemptLimits, attemptLimits } from './attempt-limits.ts';
import { deviceTokens } from './device-tokens.ts';
import { type ProvenLockout, provenLockout } from './guess-counters.ts';
import { linkStore } from './link-store.ts';
import { type PasswordCost, passwords } from './passwords.ts';
import { deletionStore } from './profile/deletion-store.ts';
import { ownSessionStore } from './profile/own-session-store.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { profileStore } from './profile/profile-store.ts';
import { type Reauthenticate, reauthentication } from './profile/reauthenticate.ts';
import { removeDeletedTeams } from './profile/teams.ts';
import { providerAccounts } from './provider-accounts.ts';
import { type FirstProof, recoveryHandlers } from './recovery/recovery-routes.ts';
import { resetRequests } from './recovery/reset-requests.ts';
import { accountRoutes } from './routes.ts';
import { type IdleMinutes, sessionStore } from './session-store.ts';
import { type OpenSession, sessionOpener } from './sessions.ts';
import { signUp } from './sign-up.ts';
import { accountStore } from './store.ts';
import { tokenHash } from './tokens.ts';
import { type SecondFactor, secondFactor as secondFactors } from './two-factor/two-factor.ts';
import { twoFactorRoutes } from './two-factor/two-factor-routes.ts';
import { twoFactorStore } from './two-factor/two-factor-store.ts';

type Deps = Pick<Core, 'config' | 'sql' | 'seal' | 'limit' | 'sendMail' | 'reserve' | 'log'>;

interface FeatureDeps {
  maxAttempts?: AttemptLimits | undefined;
  passwordCost?: PasswordCost | undefined;
  /** Removes what a stranger may have planted in an account with another person's address, once the owner proves the address. */
  onFirstProof: FirstProof[];
  /** The idle timeout of sessions according to the team's policies. */
  idleMinutes: IdleMinutes;
  /** Ends a team's paid subscription, in the transaction that deletes its last member. */
  endBilling: Parameters<typeof profileRoutes>[0]['endBilling'];
  projects: Parameters<typeof removeDeletedTeams>[0]['projects'] & { deleteAll: Parameters<typeof profileRoutes>[0]['endProjects'] };
}

interface Exports {
  findSession: FindSession;
  openSession: OpenSession;
  secondFactor: SecondFactor;
  reauthenticate: Reauthenticate;
  /** Finds and creates accounts for sign-ins through a provider. */
  ofProviders: ReturnType<typeof providerAccounts>;
  /** Processes the next request for a password reset link. */
  answerReset: () => Promise<boolean>;
  /** Tests the lockout after wrong passwords, on an account that does not exist. */
  proveLockout: () => Promise<ProvenLockout>;
}

export function accountFeature(
  { config: { lockSeconds }, sql, seal, limit, sendMail, reserve, log }: Deps,
  { maxAttempts = attemptLimits, passwordCost, onFirstProof, projects, idleMinutes, endBilling }: FeatureDeps,
): Feature<Exports> {
  const store = accountStore(sql);
  const sessions = sessionStore(sql);
  const links = linkStore(sql);
  const hasher = passwords(passwordCost);
  const devices = deviceTokens(sql);
  const openSession = sessionOpener(sessions, devices, sendMail);
  const secondFactor = secondFactors({ store: twoFactorStore(sql), seal, limit, knownAs: devices.knownAs });
  const profiles = profileStore(sql, links);
  const ownSessions = ownSessionStore(sql);
  const deletions = deletionStore(sql);
  const reauthenticate = reauthentication({ store: profiles, sessions: ownSessions, passwords: hasher, limit });
  const requests = resetRequests(sql);
  const recovery = recoveryHandlers({
    sql,
    store,
    sessions,
    links,
    requests,
    devices,
    hash: hasher.hash,
    sendMail,
    onFirstProof: [...onFirstProof, secondFactor.forget],
    limit,
    maxAttempts,
  });
  const eachTeam = createIsolatedLoop(log, 'removing a deleted team', { reserve, need: 'removal' });
  return {
    routes: [
      accountRoutes({
        store,
        sessions,
        passwords: hasher,
        openSession,
        secondFactor,
        signUp: signUp({ sql, store, links, sendMail }),
        recovery,
        devices,
        limit,
        maxAttempts,
        lockSeconds,
      }),
      profileRoutes({
        store: profiles,
        deletions,
        sessions: ownSessions,
        accounts: store,
        passwords: hasher,
        reauthenticate,
        devices,
        sendMail,
        limit,
        maxAttempts,
        endProjects: projects.deleteAll,
        endBilling,
      }),
      twoFactorRoutes({ secondFactor, reauthenticate, sendMail }),
    ],
    jobs: [
      { name: 'team.delete', everySeconds: 2, run: () => removeDeletedTeams({ sql, store: deletions, projects, each: eachTeam }) },
      { name: 'known-device.sweep', everySeconds: 3600, run: () => profiles.forgetOldDevices() },
      { name: 'device-token.sweep', everySeconds: 3600, run: () => devices.forgetOld() },
      { name: 'address.key', everySeconds: 60, run: () => keyAddresses(sql) },
      { name: 'session.sweep', everySeconds: 600, run: () => sessions.removeExpired() },
      { name: 'mailed-link.sweep', everySeconds: 600, run: () => links.removeExpired() },
    ],
    exports: {
      findSession: (token, from) => sessions.find(tokenHash(token), from, idleMinutes),
      openSession,
      secondFactor,
      reauthenticate,
      ofProviders: providerAccounts({ store, links, sendMail, limit, maxSignups: maxAttempts.signups }),
      answerReset: () => requests.answerNext(store, links, sendMail),
      proveLockout: () => provenLockout(limit, { ...maxAttempts, lockSeconds }, randomUUID()),
    },
  };
}
