import type { PlantedBug } from './bug.ts';
import { accountBugs } from './bugs/account.ts';
import { archiveBugs } from './bugs/archive.ts';
import { auditBugs } from './bugs/audit.ts';
import { billingBugs } from './bugs/billing.ts';
import { cliBugs } from './bugs/cli.ts';
import { consoleBugs } from './bugs/console.ts';
import { databaseBugs } from './bugs/database.ts';
import { databaseAccessBugs } from './bugs/database-access.ts';
import { databaseCareBugs } from './bugs/database-care.ts';
import { deploymentBugs } from './bugs/deployment.ts';
import { fullDiskBugs } from './bugs/full-disk.ts';
import { gatewayBugs } from './bugs/gateway.ts';
import { hostileTextBugs } from './bugs/hostile-text.ts';
import { httpBugs } from './bugs/http.ts';
import { keyBugs } from './bugs/key.ts';
import { logBugs } from './bugs/log.ts';
import { mailBugs } from './bugs/mail.ts';
import { oauthBugs } from './bugs/oauth.ts';
import { profileBugs } from './bugs/profile.ts';
import { relayBugs } from './bugs/relay.ts';
import { reviewBugs } from './bugs/review.ts';
import { sandboxBugs } from './bugs/sandbox.ts';
import { signInBugs } from './bugs/sign-in.ts';
import { standstillBugs } from './bugs/standstill.ts';
import { startBugs } from './bugs/start.ts';
import { tenantFileBugs } from './bugs/tenant-file.ts';

/** Each bug breaks one promise. None lets anything out of the machine or touches other installations. */
export const bugs: PlantedBug[] = [
  ...accountBugs,
  ...archiveBugs,
  ...auditBugs,
  ...billingBugs,
  ...cliBugs,
  ...consoleBugs,
  ...databaseAccessBugs,
  ...databaseBugs,
  ...databaseCareBugs,
  ...deploymentBugs,
  ...fullDiskBugs,
  ...gatewayBugs,
  ...hostileTextBugs,
  ...httpBugs,
  ...keyBugs,
  ...logBugs,
  ...mailBugs,
  ...oauthBugs,
  ...profileBugs,
  ...relayBugs,
  ...reviewBugs,
  ...sandboxBugs,
  ...signInBugs,
  ...standstillBugs,
  ...startBugs,
  ...tenantFileBugs,
];
