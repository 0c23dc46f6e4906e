import { randomBytes } from 'node:crypto';

/** Labels that look like a part of the platform. */
const reserved = new Set(['www', 'api', 'console', 'admin', 'app', 'docs', 'mail', 'status', 'paddock', 'localhost']);

/** The host label of a project: its name, or the name with a short random suffix if the name is taken or reserved. */
export const subdomainFor = (name: string, attempt: number) =>
  attempt === 0 && !reserved.has(name) ? name : `${name}-${randomBytes(2).toString('hex')}`;

/** Host labels of an environment and of a deployment. Names never contain '--', so no two projects share a label. */
export const environmentLabel = (subdomain: string, environment: string) =>
  environment === 'production' ? subdomain : `${subdomain}--${environment}`;
export const deploymentLabel = (subdomain: string, deployment_id: string) => `${subdomain}--${deployment_id.slice(-8)}`;
