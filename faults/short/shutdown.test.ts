// Faults of a shutdown with everything in progress.
import { faults as shutdown } from '../cases/shutdown.ts';
import { testFaults } from './test-faults.ts';

testFaults(shutdown);
