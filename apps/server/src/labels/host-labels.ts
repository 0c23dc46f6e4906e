import { randomBytes } from 'node:crypto';

/** Labels that look like a part of the platform. */
const reserved = new Set(['www', 'api', 'console', 'admin', 'app', 'docs', 'mail', 'status', 'paddock', 'localhost']);

/** The host label of a project: its name, or the name with a short random suffix if it is taken or reserved. */
export const subdomainFor = (name: string, attempt: number) =>
  attempt === 0 && !reserved.has(name) ? name : `${name}-${randomBytes(2).toString('hex')}`;

/** Host labels of an environment and of one deployment. Names never contain '--', so that no two projects share a label. */
export const environmentLabel = (subdomain: string, environment: string) =>
  environment === 'production' ? subdomain : `${subdomain}--${environment}`;
export const deploymentLabel = (subdomain: string, deployment_id: string) => `${subdomain}--${deployment_id.slice(-8)}`;
