import type { Control } from './control.ts';
import type { ControlDeps } from './control-deps.ts';
import { auditCoverageControl } from './controls/aud-01-coverage.ts';
import { auditChainControl } from './controls/aud-02-chain.ts';
import { auditRetentionControl } from './controls/aud-03-retention.ts';
import { backupControl } from './controls/bck-01-backups.ts';
import { restoreControl } from './controls/bck-02-restores.ts';
import { provenanceControl } from './controls/chg-01-provenance.ts';
import { separationControl } from './controls/chg-02-separation.ts';
import { requestControl } from './controls/dsr-01-requests.ts';
import { encryptionControl } from './controls/enc-01-encryption.ts';
import { sealedSecretControl } from './controls/enc-02-sealed-secrets.ts';
import { keyScopeControl } from './controls/iam-01-key-scopes.ts';
import { secondFactorControl } from './controls/iam-02-second-factors.ts';
import { passwordControl } from './controls/iam-03-password-rule.ts';
import { lockoutControl } from './controls/iam-04-lockout.ts';
import { idleSessionControl } from './controls/iam-05-idle-sessions.ts';
import { accessReviewControl } from './controls/iam-06-access-review.ts';
import { inactivityControl } from './controls/iam-07-inactive-people.ts';
import { actorControl } from './controls/iam-08-unique-actors.ts';
import { incidentControl } from './controls/inc-01-incidents.ts';
import { cryptoperiodControl } from './controls/key-01-cryptoperiod.ts';
import { keyAgeControl } from './controls/key-02-key-age.ts';
import { keyHashControl } from './controls/key-03-key-hashes.ts';
import { lineageControl } from './controls/lin-01-lineage.ts';
import { alertingControl } from './controls/mon-01-alerting.ts';
import { clockControl } from './controls/mon-02-clock.ts';
import { agentMonitorControl } from './controls/mon-03-agent-monitors.ts';
import { tlsControl } from './controls/net-01-tls.ts';
import { isolationControl } from './controls/net-02-isolation.ts';
import { egressControl } from './controls/net-03-egress.ts';
import { redactionControl } from './controls/pii-01-redaction.ts';
import { storedTextControl } from './controls/pii-02-stored-texts.ts';
import { detectorControl } from './controls/pii-03-detector.ts';
import { logRedactionControl } from './controls/pii-04-log-redaction.ts';
import { retentionControl } from './controls/ret-01-retention.ts';
import { providerControl } from './controls/tpm-01-providers.ts';
import { dependencyControl } from './controls/vul-01-dependencies.ts';

/** All implemented controls. A missing control is shown as 'Nothing checks this yet.' */
export const implementedControls = (deps: ControlDeps): Control[] => [
  auditCoverageControl(deps),
  auditChainControl(deps),
  auditRetentionControl(deps),
  backupControl(deps),
  restoreControl(deps),
  provenanceControl(deps),
  separationControl(deps),
  requestControl(deps),
  encryptionControl(deps),
  sealedSecretControl(deps),
  keyScopeControl(deps),
  secondFactorControl(deps),
  passwordControl(deps),
  lockoutControl(deps),
  idleSessionControl(deps),
  accessReviewControl(deps),
  inactivityControl(deps),
  actorControl(deps),
  incidentControl(deps),
  cryptoperiodControl(deps),
  keyAgeControl(deps),
  keyHashControl(deps),
  lineageControl(deps),
  alertingControl(deps),
  clockControl(deps),
  agentMonitorControl(deps),
  tlsControl(deps),
  isolationControl(deps),
  egressControl(deps),
  redactionControl(deps),
  storedTextControl(deps),
  detectorControl(),
  logRedactionControl(deps),
  retentionControl(deps),
  providerControl(deps),
  dependencyControl(deps),
];
