import type { Core } from '../../../core.ts';
import { type ActiveRules, activeRules } from './active-rules.ts';
import { type HostPolicies, hostPolicies } from './host-policies.ts';
import { type AssertKeyLifetime, createKeyGuard } from './key-guard.ts';
import { createPlanGuard, type PlanRefusal } from './plan-guard.ts';
import { policyAlertStore } from './policy-alert-store.ts';
import { failedLoginThreshold } from './policy-alerts.ts';
import { type CheckRedaction, createRedactionGuard } from './redaction-guard.ts';
import { type FindRetentionLimits, minRetention, retentionLimits } from './retention.ts';
import { type IdleLimit, strictestOnIdleSessions } from './sessions.ts';
import { policyStore } from './store.ts';

export interface PolicyRules {
  store: ReturnType<typeof policyStore>;
  active: ActiveRules;
  assertKeyLifetime: AssertKeyLifetime;
  keptAtMost: FindRetentionLimits;
  /** The retention of one team. */
  keptAtMostBy: ReturnType<typeof minRetention>;
  failedLoginRule: ReturnType<typeof failedLoginThreshold>;
  idleLimit: IdleLimit;
  mayProtect: CheckRedaction;
  planRefusal: PlanRefusal;
  hosts: HostPolicies;
}

/** The active rules of teams, and the decisions that need nothing else: other features are built with them. */
export function policyRules({ sql, changes }: Pick<Core, 'sql' | 'changes'>): PolicyRules {
  const store = policyStore(sql);
  const active = activeRules(store, changes);
  return {
    store,
    active,
    assertKeyLifetime: createKeyGuard(active),
    keptAtMost: retentionLimits(policyAlertStore(sql), active),
    keptAtMostBy: minRetention(active),
    failedLoginRule: failedLoginThreshold(active),
    idleLimit: strictestOnIdleSessions(active),
    mayProtect: createRedactionGuard(active),
    planRefusal: createPlanGuard(sql, active),
    hosts: hostPolicies(sql, active),
  };
}
