import type { Core } from '../../../core.ts';
import type { Control } from '../control.ts';
import { type AlertingParts, alertingControl } from './data/alerting.ts';
import { backupsRan } from './data/backups.ts';
import { clock } from './data/clock.ts';
import { detectorRegression } from './data/detector.ts';
import { encryption } from './data/encryption.ts';
import { monitors } from './data/monitors.ts';
import { logRedaction, redaction } from './data/redaction.ts';
import { requestsOnTime } from './data/requests.ts';
import { restoreTested } from './data/restores.ts';
import { type RetentionParts, retention } from './data/retention.ts';
import { sealedSecrets } from './data/sealed-secrets.ts';
import { separation } from './data/separation.ts';
import { storedPersonalData } from './data/stored-personal-data.ts';

export type DataParts = Pick<Core, 'sql' | 'seal' | 'config'> & AlertingParts & RetentionParts;

/** Controls for stored data: encryption, retention, backups, personal data, and alerting. */
export const dataControls = (parts: DataParts): Control[] => [
  encryption(parts),
  sealedSecrets(parts),
  retention(parts),
  backupsRan(parts),
  restoreTested(parts),
  redaction(parts),
  logRedaction(parts),
  storedPersonalData(parts),
  detectorRegression(),
  alertingControl(parts),
  clock(parts),
  monitors(parts),
  separation(parts),
  requestsOnTime(parts),
];
