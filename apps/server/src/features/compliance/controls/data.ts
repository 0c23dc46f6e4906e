import type { Parts } from '../../../parts.ts';
import type { Control } from '../control.ts';
import { alerting } from './data/alerting.ts';
import { backupsRan } from './data/backups.ts';
import { clock } from './data/clock.ts';
import { detectorRegression } from './data/detector.ts';
import { encryption } from './data/encryption.ts';
import { monitors } from './data/monitors.ts';
import { redaction } from './data/redaction.ts';
import { requestsOnTime } from './data/requests.ts';
import { restoreTested } from './data/restores.ts';
import { retention } from './data/retention.ts';
import { sealedSecrets } from './data/sealed-secrets.ts';
import { separation } from './data/separation.ts';
import { storedPersonalData } from './data/stored-personal-data.ts';

type Needs = Pick<Parts, 'sql' | 'seal' | 'config'>;

/** Controls over what is stored: encryption, retention, backups, personal data, and whether somebody would notice. */
export const dataControls = (parts: Needs): Control[] => [
  encryption(parts),
  sealedSecrets(parts),
  retention(parts),
  backupsRan(parts),
  restoreTested(parts),
  redaction(parts),
  storedPersonalData(parts),
  detectorRegression(),
  alerting(parts),
  clock(parts),
  monitors(parts),
  separation(parts),
  requestsOnTime(parts),
];
