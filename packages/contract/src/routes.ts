import { accounts } from './accounts.ts';
import { deployments } from './deployments.ts';
import { logs } from './logs.ts';
import { oauth } from './oauth.ts';
import { projects } from './projects.ts';
import { system } from './system.ts';
import { variables } from './variables.ts';

/** The whole API under `/api/v1`. Server, console, tool, demo mode and OpenAPI all read this table. */
export const contract = { accounts, oauth, projects, deployments, logs, variables, system };
