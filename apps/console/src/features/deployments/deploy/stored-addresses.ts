import type { Database, DatabaseType, Environment } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { databasesQuery } from '../../databases/queries.ts';

/** The BYO addresses stored for an environment, which are used for empty fields; undefined until they are loaded. */
export function useStoredAddresses(
  project_id: string | undefined,
  environment: Environment,
): ((type: DatabaseType) => Database | undefined) | undefined {
  const { data } = useQuery({ ...databasesQuery({ project_id, environment }), enabled: project_id !== undefined });
  if (project_id === undefined) return () => undefined;
  if (!data) return undefined;
  return (type) => data.find((each) => each.mode === 'byo' && each.type === type && each.is_attached);
}
