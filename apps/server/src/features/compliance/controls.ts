import type { Control } from './control.ts';
import type { ControlDeps } from './control-deps.ts';
import { accessReviewControl } from './controls/access-review.ts';
import { backupControl } from './controls/bck-01-backups.ts';
import { restoreControl } from './controls/bck-02-restores.ts';
import { provenanceControl } from './controls/chg-01-provenance.ts';
import { separationControl } from './controls/chg-02-separation.ts';
import { auditCoverageControl } from './controls/coverage.ts';
import { requestControl } from './controls/dsr-01-requests.ts';
import { encryptionControl } from './controls/enc-01-encryption.ts';
import { sealedSecretControl } from './controls/enc-02-sealed-secrets.ts';
import { idleSessionControl } from './controls/idle-sessions.ts';
import { incidentControl } from './controls/inc-01-incidents.ts';
import { cryptoperiodControl, keyAgeControl, keyHashControl, keyScopeControl } from './controls/keys.ts';
import { lineageControl } from './controls/lin-01-lineage.ts';
import { alertingControl } from './controls/mon-01-alerting.ts';
import { clockControl } from './controls/mon-02-clock.ts';
import { agentMonitorControl } from './controls/mon-03-agent-monitors.ts';
import { tlsControl } from './controls/net-01-tls.ts';
import { isolationControl } from './controls/net-02-isolation.ts';
import { egressControl } from './controls/net-03-egress.ts';
import { actorControl, inactivityControl, secondFactorControl } from './controls/people.ts';
import { redactionControl } from './controls/pii-01-redaction.ts';
import { storedTextControl } from './controls/pii-02-stored-texts.ts';
import { detectorControl } from './controls/pii-03-detector.ts';
import { logRedactionControl } from './controls/pii-04-log-redaction.ts';
import { retentionControl } from './controls/ret-01-retention.ts';
import { lockoutControl, passwordControl } from './controls/sign-in.ts';
import { providerControl } from './controls/tpm-01-providers.ts';
import { auditChainControl, auditRetentionControl } from './controls/trail.ts';
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
