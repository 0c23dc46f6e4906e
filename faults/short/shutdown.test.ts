// An end with everything under way.
import { faults as shutdown } from '../cases/shutdown.ts';
import { testFaults } from './test-faults.ts';

testFaults(shutdown);
