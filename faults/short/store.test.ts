// Faults of a database that fails for a moment.
import { faults as postgresConnection } from '../cases/postgres-connection.ts';
import { faults as postgresPressure } from '../cases/postgres-pressure.ts';
import { testFaults } from './test-faults.ts';

testFaults([...postgresConnection, ...postgresPressure]);
