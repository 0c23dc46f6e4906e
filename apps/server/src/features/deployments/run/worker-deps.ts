import type { Artifact, Choice } from '@paddock/builder';
import type { HostRule, Instance, Limits, RuntimeDriver } from '@paddock/runtime';
import type { AgentUrl } from '../../../config/config.ts';
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

/** The log of a deployment. */
export interface DeploymentLog {
  write(source: 'build' | 'platform', level: 'info' | 'warning' | 'error', message: string): void;
  build(stream: 'stdout' | 'stderr', line: string): void;
  flush(): Promise<void>;
  /** Masks a text that quotes lines by the project's settings. */
  masked(text: string): Promise<string>;
}

/** Policies about the hosts that agents may call. */
export interface HostPolicies {
  rules: (team_id: string) => Promise<HostRule[]>;
  /** A sentence why an agent may not call a host, which is recorded; undefined if it may by now. */
  refused: (d: { team_id: string; id: string }, host: string) => Promise<string | undefined>;
}

export interface WorkerDeps {
  transitions: Transitions;
  driver: RuntimeDriver;
  /** Time limit of a whole build. */
  buildSeconds: number;
  /** ZIP → plan, without a build. */
  plan: (input: { d: Claimed; signal: AbortSignal }) => Promise<Artifact['plan']>;
  /** ZIP → artifact, with the project's build variables. */
  build: (input: {
    d: Claimed;
    env: Record<string, string>;
    out: DeploymentLog;
    onPlan: (plan: unknown) => Promise<void>;
    signal: AbortSignal;
  }) => Promise<{ artifact: Artifact /** Call it once the deployment names the artifact. */; release: () => Promise<void> }>;
  /** Location of a deployment whose row names none of this node's instances. */
  whereabouts: (id: string) => Promise<DeploymentLocation>;
  /** Kinds of this project's earlier agents. */
  seenBefore: (d: Claimed) => Promise<ObservedKinds>;
  /** Stores the packages installed in a build. Never fails. */
  notePackages: (id: string, artifact: Artifact, signal: AbortSignal) => Promise<void>;
  openVariables: (
    d: Pick<Claimed, 'team_id' | 'project_id' | 'environment'>,
  ) => Promise<{ key: string; value: string; available_at_build: boolean; updated_at: string }[]>;
  openLog: (d: Pick<Claimed, 'id' | 'team_id'>) => DeploymentLog;
  /** An instance's last lines, once its output is stored. */
  lastLines: (instance: { id: string; deployment_id: string }) => Promise<string[]>;
  /** Why a policy forbids the start; undefined if it is allowed. */
  planRefusal: (d: Claimed, plan: Artifact['plan']) => Promise<string | undefined>;
  hosts: HostPolicies;
  /** Recorded enforcement of host rules. */
  holds: HostRuleStore;
  /** Detected protocols of agents. */
  protocols: ProtocolsStore;
  /** Records end times before exited instances are removed: running time is metered. */
  noteEnds: (instances: readonly Instance[]) => Promise<unknown>;
  databases: DatabasesOfAgents;
  /** Target of the agent's traces; undefined for none. */
  toTelemetry?: ((deployment_id: string) => Telemetry) | undefined;
  /** Restarts the agent with its current databases. */
  renew: (d: Claimed) => Promise<unknown>;
  seal: Seal;
  agentUrl: AgentUrl;
  limits: Limits;
  /** A crash within this many seconds after an agent became active is a failed start; 0: never. */
  trialSeconds: number;
  egressAllow: string[];
  /** For records that must be written even when the disk is full. */
  reserve: Reserve;
  log: Log;
}

export type Variables = Awaited<ReturnType<WorkerDeps['openVariables']>>;

/** A claimed deployment in progress. */
export interface RunContext {
  parts: WorkerDeps;
  d: Claimed;
  out: DeploymentLog;
  signal: AbortSignal;
}

export interface Failure {
  message: string;
  /** Alternatives that could be deployed instead. */
  choices?: Choice[];
}

/** Ends the deployment as failed. Its log gets the message without the agent's last lines, which it already has. */
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
