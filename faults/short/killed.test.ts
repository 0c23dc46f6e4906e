// Kills of the server, all on one platform. The deployments come last: their visitor, which hardly pauses, runs until the end.
import { faults as billing } from '../cases/billing.ts';
import { faults as collector } from '../cases/collector.ts';
import { faults as deployment } from '../cases/deployment.ts';
import { faults as ending } from '../cases/ending.ts';
import { faults as gateway } from '../cases/gateway.ts';
import { faults as server } from '../cases/server.ts';
import { faults as upload } from '../cases/upload.ts';
import { testFaults } from './test-faults.ts';

testFaults([...billing, ...collector, ...ending, ...gateway, ...server, ...upload, ...deployment]);
