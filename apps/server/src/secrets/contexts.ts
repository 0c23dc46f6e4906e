import type { Environment } from '@paddock/contract';

/** Binds a sealed value to its variable. */
export const variableContext = (project_id: string, environment: Environment, key: string): string =>
  `variable:${project_id}:${environment}:${key}`;

/** Binds a sealed password or URL to its database. */
export const databaseContext = (database_id: string): string => `database:${database_id}`;

/** Binds the secrets that an agent was started with to its deployment. */
export const givenSecretsContext = (deployment_id: string): string => `given:${deployment_id}`;

/** Binds the database URLs that older deployments keep sealed to their deployment. */
export const deploymentDatabasesContext = (deployment_id: string): string => `databases:${deployment_id}`;
