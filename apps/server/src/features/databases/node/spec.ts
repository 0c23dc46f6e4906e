import type { DatabaseLimits, DatabaseSpec } from '@paddock/database-driver';
import { databaseContext } from '../../../secrets/contexts.ts';
import type { Seal } from '../../../secrets/seal.ts';
import type { ManagedRow } from '../rows.ts';

/** Decrypts the row's secret, and adds what is the same for all databases: the limits, and the password of the platform's own user. */
export const toDatabaseSpec =
  (seal: Seal, limits: DatabaseLimits) =>
  (row: Pick<ManagedRow, 'id' | 'type' | 'project_id' | 'secret_sealed' | 'secret_key_id'>): DatabaseSpec => ({
    id: row.id,
    type: row.type,
    password: seal.open({ sealed: row.secret_sealed, key_id: row.secret_key_id }, databaseContext(row.id)),
    // Derived, so that nothing has to be stored: constant for a project, and impossible to guess without the installation's key.
    admin_password: seal.fingerprint(`database-admin:${row.project_id}`).toString('base64url'),
    limits,
  });
