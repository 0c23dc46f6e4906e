// Faults of starts that cannot succeed.
import { faults as start } from '../cases/start.ts';
import { testFaults } from './test-faults.ts';

testFaults(start);
