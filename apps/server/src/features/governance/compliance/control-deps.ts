import type { AccessReview, ModelProvider, Provenance, SeenProvider } from '@paddock/contract';
import type { RetainedData } from '@paddock/contract/policy-rules';
import type { HostRule, StepRunner } from '@paddock/runtime';
import type { Blobs } from '../../../blobs/blobs.ts';
import type { Core } from '../../../core.ts';
import type { Log } from '../../../log.ts';

type Settings = Pick<
  Core['config'],
  | 'agentUrl'
  | 'auditRetentionDays'
  | 'auditWebhookUrl'
  | 'blobDir'
  | 'databaseUrl'
  | 'dataDir'
  | 'egressAllow'
  | 'host'
  | 'logRetentionDays'
  | 'osvDatabase'
  | 'publicUrl'
>;

/** All that controls inspect: the database, the settings, and functions of other features. Each control picks its own. */
export interface ControlDeps extends Pick<Core, 'sql' | 'seal'>, Settings {
  log: Pick<Log, 'warn'>;
  /** This server's clock, in ms since 1970. */
  now: () => number;
  /** Why the running server rejects a password; null if it accepts it. */
  passwordRefusal: (password: string) => Promise<string | null>;
  proveLockout: () => Promise<Lockout>;
  /** The idle time after which a team's sessions end; undefined if no policy sets one. */
  idleLimit: (team_id: string) => Promise<{ minutes: number; policy: string; text: string } | undefined>;
  accessReviews: {
    /** Newest first. */
    list: (team_id: string) => Promise<AccessReview[]>;
    /** Grants that a review revoked but that exist nevertheless. */
    returned: (team_id: string, review_id: string) => PromiseLike<readonly { kind: string; id: string; name: string }[]>;
  };
  trail: {
    verify: (team_id: string, range: { from_seq: number; until: number; signal: AbortSignal; rest?: number }) => Promise<VerifiedTrail>;
    /** A team's checkpoints in this server's files. */
    keptLines: (team_id: string) => Promise<string[]>;
  };
  /** The shortest retention that the team's active policies set for a kind of data. */
  keptAtMostBy: (team_id: string, data: RetainedData) => Promise<{ days: number; by: { policy: string } } | undefined>;
  /** The policy and the rule by which failed sign-ins open an alert. */
  failedLoginRule: (team_id: string) => Promise<{ policy_id: string; policy: string; text: string } | undefined>;
  /** The host rules of a team's active policies. */
  hostRules: (team_id: string) => Promise<HostRule[]>;
  /** Runs a program in the same sandbox as agents; undefined where this server runs none. */
  sandbox: StepRunner | undefined;
  blobs: Pick<Blobs, 'exists' | 'digest' | 'storeExists'>;
  liveProvenance: (team_id: string) => Promise<LiveDeployment[]>;
  /** A team's register of model providers. */
  modelProviders: (team_id: string) => Promise<ModelProvider[]>;
  /** Providers that a team's agents called, each with its entry in the register. */
  seenProviders: (team_id: string, now: number) => Promise<SeenProvider[]>;
}

/** The measured lockout after wrong passwords, tested on a non-existent account. */
interface Lockout {
  /** Wrong passwords accepted for checking before the first refusal; null if there was none within `tries`. */
  answered: number | null;
  tries: number;
  /** The longest lock, in seconds. */
  lock_seconds: number;
}

interface VerifiedTrail {
  checked: number;
  up_to_seq: number;
  head_seq: number;
  first_bad: { seq: number; id: string | null; reason: string } | null;
  next_seq: number | undefined;
}

export type LiveDeployment = Provenance & { source_blob: string };
