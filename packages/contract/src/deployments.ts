import * as z from 'zod';
import { maxAddedCharacters, readAddedPackages } from './added-packages.ts';
import { compareDeployments } from './deployment-changes.ts';
import { formBoolean, Origin, originInput } from './deployment-origin.ts';
import { Choice, Plan } from './deployment-plan.ts';
import { eitherTarget, isOneTarget, oneTarget, target } from './deployment-target.ts';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { Protocol } from './protocols.ts';
import { route } from './route.ts';
import { Sbom } from './sbom.ts';
import { tryAgent } from './try.ts';

export const deploymentStatuses = ['queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];
const statusMeaning =
  '`completed`, `failed` and `stopped` are final. `active`: ready, and a web agent has its address. `completed`: it ran to its end with exit code 0 without ever listening';
export const Environment = z.enum(['production', 'preview']);
export type Environment = z.infer<typeof Environment>;
export const DatabaseMode = z.enum(['managed', 'byo', 'none']);

export const Deployment = z.object({
  id: id('dep'),
  project_id: id('prj'),
  project_name: z.string(),
  status: z.enum(deploymentStatuses).meta({ description: statusMeaning }),
  environment: Environment,
  database_mode: DatabaseMode,
  url: z.string().nullable().meta({ description: 'Address of the project and environment while this deployment serves it' }),
  deployment_url: z.string().nullable().meta({ description: 'Address of this deployment alone, which never moves' }),
  error_message: z.string().nullable().meta({ description: 'Why it failed; of a job that completed: why it may not have done its work' }),
  failed_stage: z.enum(['queued', 'building', 'deploying', 'active']).nullable().meta({ description: 'The status in which it failed' }),
  agent_type: z.enum(['web', 'worker', 'job']).nullable(),
  trigger: z.enum(['upload', 'sample', 'redeploy', 'rollback']),
  source_name: z.string().meta({ description: 'File name of the archive' }),
  source_deployment_id: z.string().nullable().meta({ description: 'Whose code this runs, after a redeploy or rollback' }),
  ...Origin.shape,
  is_current: z.boolean().meta({ description: 'True for the one that serves its environment' }),
  restarts: z.number().int().meta({ description: 'Restarts after a crash within the last 10 minutes' }),
  restart_at: timestamp.nullable().meta({ description: 'When the agent is started again, while it is down or about to be renewed' }),
  variables_at: timestamp.nullable().meta({
    description: 'The newest change among the variables that its process was started with; null without any, and before its first start',
  }),
  created_at: timestamp,
  building_at: timestamp.nullable(),
  deploying_at: timestamp.nullable(),
  deployed_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
});
export type Deployment = z.infer<typeof Deployment>;
export const DeploymentDetail = Deployment.extend({
  plan: Plan.nullable(),
  failure_choices: z.array(Choice).nullable().meta({
    description:
      'What could be deployed instead of an archive that failed: its folders and files, where nothing said how it starts, or itself with packages that it lacks; at most 20',
  }),
  databases: z
    .array(z.object({ id: id('db'), type: z.enum(['postgresql', 'redis']), env_var: z.string(), status: z.string() }))
    .meta({ description: 'Databases whose connection strings it gets, and under which names' }),
  protocols: z.array(Protocol).nullable().meta({ description: 'What the running agent was recognised to speak; null until it was asked' }),
  host_header: z.string().nullable().meta({
    description: 'What the agent is told as Host where it takes no requests under its own address; null: the host that visitors ask for',
  }),
});
export type DeploymentDetail = z.infer<typeof DeploymentDetail>;

export const EarlierDeployment = z.object({ id: id('dep'), sha256: z.string().nullable(), deployed_at: timestamp });
/** The origin of a deployment's code. */
export const Provenance = z.object({
  deployment_id: id('dep'),
  project_id: id('prj'),
  project_name: z.string(),
  environment: Environment,
  status: z.enum(deploymentStatuses),
  sha256: z.string().nullable().meta({ description: 'Of the archive; null where it was uploaded before Paddock kept digests' }),
  source_name: z.string(),
  source_bytes: z.number().int().min(0),
  trigger: Deployment.shape.trigger,
  source_deployment_id: z.string().nullable(),
  ...Origin.shape,
  actor: z
    .object({ type: z.string(), id: z.string(), name: z.string().nullable() })
    .meta({ description: 'The person, or the key of that person, who asked for it' }),
  audit_id: z.string().nullable().meta({ description: 'The record of the audit trail that says so' }),
  created_at: timestamp,
  deployed_at: timestamp.nullable(),
  predecessor: EarlierDeployment.nullable().meta({
    description: 'What served the environment before; null for the first. One that never became active is placed by its end',
  }),
  rollback_target: EarlierDeployment.nullable().meta({ description: 'The latest before it that served and did not fail' }),
});
export type Provenance = z.infer<typeof Provenance>;

const one = z.strictObject({ id: id('dep') });
const root = z.string().trim().max(500).optional();
const start = z.string().trim().max(1000).optional();
const ownUrl = z
  .string()
  .max(2048)
  .optional()
  .meta({ description: 'With `byo`: stored encrypted for the environment. Without it, the stored URL is used' });
const packages = z
  .string()
  .trim()
  .max(maxAddedCharacters)
  .superRefine((text, { addIssue }) => {
    const { wrong } = readAddedPackages(text);
    if (wrong !== undefined) addIssue({ code: 'custom', message: wrong });
  })
  .optional();

export const deployments = {
  list: route({
    method: 'GET',
    path: '/deployments',
    access: 'agents:read',
    summary: 'Deployments, newest first',
    errors: ['cursor_invalid'],
    input: z.strictObject({
      ...page.shape,
      project_id: id('prj').optional(),
      status: z.enum(deploymentStatuses).optional(),
      environment: Environment.optional(),
    }),
    output: z.object({ deployments: z.array(Deployment), next_cursor: nextCursor, total: z.number().int(), active: z.number().int() }),
  }),
  get: route({
    method: 'GET',
    path: '/deployments/:id',
    access: 'agents:read',
    summary: 'One deployment with its plan',
    errors: ['deployment_not_found'],
    input: one,
    output: DeploymentDetail,
  }),
  provenance: route({
    method: 'GET',
    path: '/deployments/:id/provenance',
    access: 'agents:read',
    summary: 'Where the code came from: digest, who, when, what served before',
    errors: ['deployment_not_found'],
    input: one,
    output: Provenance,
  }),
  sbom: route({
    method: 'GET',
    path: '/deployments/:id/sbom',
    access: 'agents:read',
    summary: 'The packages that are installed in it, as CycloneDX 1.6',
    note: '`compositions` says `incomplete` where a package could not be read.',
    errors: ['deployment_not_found', 'sbom_missing'],
    input: one,
    output: Sbom,
  }),
  changes: compareDeployments,
  create: route({
    method: 'POST',
    path: '/deployments',
    access: 'agents:deploy',
    status: 201,
    location: '/deployments/{id}',
    file: 'code',
    summary: 'Deploy a ZIP archive',
    note: 'The archive is on disk when this answers; poll the deployment for the outcome. Once it is active, the deployment that served before finishes its requests for 30 seconds and is stopped; if it fails, that one goes on serving.',
    audit: 'deployment.create',
    errors: ['project_not_found', 'database_mode_unavailable', 'database_address_refused', 'plan_limit_reached'],
    input: z
      .strictObject({
        ...target,
        environment: Environment.default('production'),
        database_mode: z
          .enum(['managed', 'byo', 'external', 'none'])
          .default('none')
          .meta({ description: '`managed`: run by Paddock. `byo`, or `external`: your own, by their URLs' }),
        redis_url: ownUrl,
        postgres_url: ownUrl,
        root: root.meta({
          description:
            'Folder of the agent within the archive; wins over paddock.yaml. Without it, `start` and `packages`, those that the project keeps are used',
        }),
        start: start.meta({
          description: 'Start command; wins over paddock.yaml and detection',
        }),
        packages: packages.meta({
          description: 'Packages that are installed beside its dependencies: names with or without versions, parted by blanks',
        }),
        keep: formBoolean.optional().meta({
          description:
            'Whether later uploads to the project use the same `root`, `start` and `packages`; without any of them, the project forgets those that it keeps',
        }),
        ...originInput,
      })
      .refine(isOneTarget, oneTarget)
      .meta(eitherTarget),
    output: Deployment,
  }),
  sample: route({
    method: 'POST',
    path: '/deployments/sample',
    access: 'agents:deploy',
    status: 201,
    location: '/deployments/{id}',
    summary: 'Deploy one of the sample agents that come with Paddock',
    audit: 'deployment.create',
    errors: ['project_not_found', 'sample_not_found', 'plan_limit_reached'],
    input: z
      .strictObject({
        ...target,
        environment: Environment.default('production'),
        sample: z.string().max(64).default('chat').meta({ description: 'A folder of `examples/`' }),
      })
      .refine(isOneTarget, oneTarget)
      .meta(eitherTarget),
    output: Deployment,
  }),
  stop: route({
    method: 'POST',
    frees: true,
    path: '/deployments/:id/stop',
    access: 'agents:write',
    summary: 'Stop an active deployment',
    audit: 'deployment.stop',
    errors: ['deployment_not_found', 'deployment_not_active'],
    input: one,
    output: Deployment,
  }),
  restart: route({
    method: 'POST',
    path: '/deployments/:id/restart',
    access: 'agents:write',
    summary: 'Restart an active deployment: its process serves until a new one is ready',
    note: 'It is built of what was built, with the variables of today. While `restart_at` is set, a further call changes nothing.',
    audit: 'deployment.restart',
    errors: ['deployment_not_found', 'deployment_not_active'],
    input: one,
    output: Deployment,
  }),
  cancel: route({
    method: 'POST',
    frees: true,
    path: '/deployments/:id/cancel',
    access: 'agents:write',
    summary: 'Cancel a queued or building deployment',
    audit: 'deployment.cancel',
    errors: ['deployment_not_found', 'deployment_not_cancellable'],
    input: one,
    output: Deployment,
  }),
  redeploy: route({
    method: 'POST',
    path: '/deployments/:id/redeploy',
    access: 'agents:deploy',
    status: 201,
    location: '/deployments/{id}',
    summary:
      'Deploy the same code again with the current variables, to the other environment, from another file or folder, or with packages',
    note: 'The choices of a plan, and `failure_choices`, are what to send. With `environment: production`, a preview is promoted.',
    audit: 'deployment.redeploy',
    errors: ['deployment_not_found', 'source_gone', 'database_mode_unavailable', 'plan_limit_reached'],
    input: one.extend({
      environment: Environment.optional().meta({
        description: 'Where to deploy it, with the variables and databases of that environment; by default where it was',
      }),
      root: root.meta({
        description:
          'Another folder of the agent within the archive; empty for its own level. Without `start`, the old start command is dropped',
      }),
      start: start.meta({ description: 'Another start command; empty for the one that the archive says' }),
      packages: packages.meta({
        description: 'Other packages that are installed beside its dependencies; empty for none. Without it and `root`, those of before',
      }),
      keep: z.boolean().optional().meta({
        description:
          'Whether later uploads to the project use the same folder, start command and packages; true by default if one is given',
      }),
    }),
    output: Deployment,
  }),
  rollback: route({
    method: 'POST',
    path: '/deployments/:id/rollback',
    access: 'agents:deploy',
    status: 201,
    location: '/deployments/{id}',
    summary: 'Make an earlier deployment of the environment current again, as a new deployment',
    note: 'It has the variables of today, and the folder and start command of the earlier one.',
    audit: 'deployment.rollback',
    errors: ['deployment_not_found', 'source_gone', 'database_mode_unavailable', 'plan_limit_reached'],
    input: one,
    output: Deployment,
  }),
  try: tryAgent,
};
