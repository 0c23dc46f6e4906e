import { accountBugs } from './account-bugs.ts';
import { archiveBugs } from './archive-bugs.ts';
import type { PlantedBug } from './bug.ts';
import { cliBugs } from './cli-bugs.ts';
import { consoleBugs } from './console-bugs.ts';
import { databaseAccessBugs } from './database-access-bugs.ts';
import { databaseBugs } from './database-bugs.ts';
import { databaseCareBugs } from './database-care-bugs.ts';
import { deploymentBugs } from './deployment-bugs.ts';
import { fullDiskBugs } from './full-disk-bugs.ts';
import { gatewayBugs } from './gateway-bugs.ts';
import { hostileTextBugs } from './hostile-text-bugs.ts';
import { httpBugs } from './http-bugs.ts';
import { keyBugs } from './key-bugs.ts';
import { logBugs } from './log-bugs.ts';
import { mailBugs } from './mail-bugs.ts';
import { oauthBugs } from './oauth-bugs.ts';
import { profileBugs } from './profile-bugs.ts';
import { reviewBugs } from './review-bugs.ts';
import { sandboxBugs } from './sandbox-bugs.ts';
import { signInBugs } from './sign-in-bugs.ts';
import { standstillBugs } from './standstill-bugs.ts';
import { startBugs } from './start-bugs.ts';
import { tenantFileBugs } from './tenant-file-bugs.ts';

/** Each breaks one promise. None lets anything out of the machine or touches what other installations made. */
export const bugs: PlantedBug[] = [
  ...accountBugs,
  ...archiveBugs,
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
  ...reviewBugs,
  ...sandboxBugs,
  ...signInBugs,
  ...standstillBugs,
  ...startBugs,
  ...tenantFileBugs,
];
