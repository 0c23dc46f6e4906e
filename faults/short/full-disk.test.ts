// A disk that is full.
import { faults as fullDisk } from '../cases/full-disk.ts';
import { testFaults } from './test-faults.ts';

testFaults(fullDisk);
