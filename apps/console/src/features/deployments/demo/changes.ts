import type { Deployment, DeploymentChanges, DeploymentDetail } from '@paddock/contract';

interface Compared {
  row: Deployment;
  plan: DeploymentDetail['plan'];
}

/** The changes between two deployments of the demo, which has no archives: uploads of one project differ in the same few places. */
export function demoChanges(after: Compared, before: Compared): DeploymentChanges {
  const isSame = codeOf(after.row) === codeOf(before.row);
  return {
    deployment_id: after.row.id,
    with_id: before.row.id,
    is_same_code: isSame,
    files: isSame
      ? { added: 0, removed: 0, changed: 0, unchanged: 12, list: [] }
      : {
          added: 1,
          removed: 1,
          changed: 2,
          unchanged: 9,
          list: [
            { path: 'README.md', change: 'changed', bytes: 1_204, bytes_before: 1_122 },
            { path: 'agent/main.py', change: 'changed', bytes: 4_871, bytes_before: 4_502 },
            { path: 'agent/prompts/triage.md', change: 'added', bytes: 960, bytes_before: null },
            { path: 'agent/prompts/v1.md', change: 'removed', bytes: null, bytes_before: 811 },
          ],
        },
    packages: isBuilt(after.row) && isBuilt(before.row) ? changedPackages(isSame) : null,
    plan: after.plan && before.plan ? diffCommands(after.plan, before.plan) : null,
    variables: after.row.deployed_at && before.row.deployed_at ? changedVariables(isSame) : null,
  };
}

const isBuilt = ({ failed_stage }: Deployment) => failed_stage !== 'queued' && failed_stage !== 'building';

function changedPackages(isSame: boolean): DeploymentChanges['packages'] {
  const list = isSame ? [] : [{ ecosystem: 'PyPI', name: 'pydantic', version: '2.14.1', version_before: '2.13.0' }];
  return { list, total: list.length, is_partial: false };
}

const changedVariables = (isSame: boolean): DeploymentChanges['variables'] => (isSame ? [] : [{ name: 'MODEL_NAME', change: 'changed' }]);

/** The deployment whose upload a deployment runs. */
const codeOf = ({ id, source_deployment_id }: Deployment) => source_deployment_id ?? id;

function diffCommands(now: NonNullable<DeploymentDetail['plan']>, before: NonNullable<DeploymentDetail['plan']>) {
  const [value, value_before] = [now.start.join(' '), before.start.join(' ')];
  return value === value_before ? [] : [{ what: 'start', value, value_before }];
}
