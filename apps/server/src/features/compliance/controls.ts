import type { Control } from './control.ts';
import type { ControlDeps } from './control-deps.ts';
import { accessReviewControl } from './controls/access-review.ts';
import { auditCoverageControl } from './controls/coverage.ts';
import { alertingControl } from './controls/data/alerting.ts';
import { backupControl } from './controls/data/backups.ts';
import { clockControl } from './controls/data/clock.ts';
import { detectorControl } from './controls/data/detector.ts';
import { encryptionControl } from './controls/data/encryption.ts';
import { agentMonitorControl } from './controls/data/monitors.ts';
import { logRedactionControl, redactionControl } from './controls/data/redaction.ts';
import { requestControl } from './controls/data/requests.ts';
import { restoreControl } from './controls/data/restores.ts';
import { retentionControl } from './controls/data/retention.ts';
import { sealedSecretControl } from './controls/data/sealed-secrets.ts';
import { separationControl } from './controls/data/separation.ts';
import { storedTextControl } from './controls/data/stored-personal-data.ts';
import { dependencyControl } from './controls/dependencies.ts';
import { egressControl } from './controls/egress.ts';
import { idleSessionControl } from './controls/idle-sessions.ts';
import { incidentControl } from './controls/incidents.ts';
import { isolationControl } from './controls/isolation.ts';
import { cryptoperiodControl, keyAgeControl, keyHashControl, keyScopeControl } from './controls/keys.ts';
import { lineageControl } from './controls/lineage.ts';
import { actorControl, inactivityControl, secondFactorControl } from './controls/people.ts';
import { provenanceControl } from './controls/provenance.ts';
import { providerControl } from './controls/providers.ts';
import { lockoutControl, passwordControl } from './controls/sign-in.ts';
import { tlsControl } from './controls/tls.ts';
import { auditChainControl, auditRetentionControl } from './controls/trail.ts';

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
