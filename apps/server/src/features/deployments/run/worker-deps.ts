import type { Artifact, Choice } from '@paddock/builder';
import type { HostRule, Instance, Limits, RuntimeDriver } from '@paddock/runtime';
import type { AgentUrl } from '../../../config.ts';
import type { Reserve } from '../../../disk/reserve.ts';
import type { Log } from '../../../log.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { besidesOwn } from '../build-settings.ts';
import type { DatabasesOfAgents } from '../databases.ts';
import type { HostRuleStore } from '../host-rule-store.ts';
import type { Claimed } from '../leases.ts';
import type { ProtocolsStore } from '../speaks/protocols-store.ts';
import type { Transitions } from '../transitions.ts';
import type { Telemetry } from './agent-environment.ts';
import type { ObservedKinds } from './agent-kind.ts';
import type { DeploymentLocation } from './failover.ts';

/** Writes to the deployment's log. */
export interface DeploymentLog {
  write(source: 'build' | 'platform', level: 'info' | 'warning' | 'error', message: string): void;
  build(stream: 'stdout' | 'stderr', line: string): void;
  flush(): Promise<void>;
  /** A text that quotes lines, as the project wants texts stored. */
  masked(text: string): Promise<string>;
}

/** What policies say of the hosts that agents may call. */
export interface HostPolicies {
  rules: (team_id: string) => Promise<HostRule[]>;
  /** Why an agent may not call a host, as a sentence, which is recorded; undefined if it may by now. */
  refused: (d: { team_id: string; id: string }, host: string) => Promise<string | undefined>;
}

export interface WorkerDeps {
  transitions: Transitions;
  driver: RuntimeDriver;
  /** The time of a whole build. */
  buildSeconds: number;
  /** ZIP → plan, without building anything. */
  plan: (input: { d: Claimed; signal: AbortSignal }) => Promise<Artifact['plan']>;
  /** ZIP → artifact, with the project's build variables. */
  build: (input: {
    d: Claimed;
    env: Record<string, string>;
    out: DeploymentLog;
    onPlan: (plan: unknown) => Promise<void>;
    signal: AbortSignal;
  }) => Promise<{ artifact: Artifact /** Call it once the deployment names the artifact. */; release: () => Promise<void> }>;
  /** Where a deployment went whose row names none of this node's instances. */
  whereabouts: (id: string) => Promise<DeploymentLocation>;
  /** The kinds that agents of this project were seen to be before. */
  seenBefore: (d: Claimed) => Promise<ObservedKinds>;
  /** Keeps which packages are installed in a build. Never fails. */
  notePackages: (id: string, artifact: Artifact, signal: AbortSignal) => Promise<void>;
  openVariables: (
    d: Pick<Claimed, 'team_id' | 'project_id' | 'environment'>,
  ) => Promise<{ key: string; value: string; available_at_build: boolean }[]>;
  openLog: (d: Pick<Claimed, 'id' | 'team_id'>) => DeploymentLog;
  /** The last lines of an instance, once its output is stored. */
  lastLines: (instance: { id: string; deployment_id: string }) => Promise<string[]>;
  /** Why a policy does not let this be started; undefined if it may be. */
  planRefusal: (d: Claimed, plan: Artifact['plan']) => Promise<string | undefined>;
  hosts: HostPolicies;
  /** What is known of how agents are held to rules about hosts. */
  holds: HostRuleStore;
  /** What agents were recognised to speak. */
  protocols: ProtocolsStore;
  /** Before instances that ended are removed: until when they ran is metered. */
  noteEnds: (instances: readonly Instance[]) => Promise<unknown>;
  databases: DatabasesOfAgents;
  /** Where the agent's traces go; undefined: nowhere. */
  telemetryOf?: ((deployment_id: string) => Telemetry) | undefined;
  /** Starts the agent anew, with what its databases are by now. */
  renew: (d: Claimed) => Promise<unknown>;
  seal: Seal;
  agentUrl: AgentUrl;
  limits: Limits;
  /** A crash within so many seconds after an agent became active is a failed start; 0: never. */
  trialSeconds: number;
  egressAllow: string[];
  /** For what must be noted although the disk is full. */
  reserve: Reserve;
  log: Log;
}

export type Variables = Awaited<ReturnType<WorkerDeps['openVariables']>>;

/** One claimed deployment on its way. */
export interface RunContext {
  parts: WorkerDeps;
  d: Claimed;
  out: DeploymentLog;
  signal: AbortSignal;
}

export interface Failure {
  message: string;
  /** What could be deployed instead. */
  choices?: Choice[];
}

/** Ends the deployment as failed; its log gets the message without the agent's last lines, which it has already. */
export async function failDeployment(
  { parts, d, out }: RunContext,
  stage: 'queued' | 'building' | 'deploying',
  failure: string | Failure,
): Promise<void> {
  const { message, choices = [] } = typeof failure === 'string' ? { message: failure } : failure;
  out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  await out.flush();
  await parts.transitions.failed(d, { stage, message: await out.masked(message), choices: besidesOwn(choices, d.settings) });
}
