// Faults of a full disk.
import { faults as fullDisk } from '../cases/full-disk.ts';
import { testFaults } from './test-faults.ts';

testFaults(fullDisk);
