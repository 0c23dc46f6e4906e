import type { DeploymentDetail } from '@paddock/contract';

export interface MissingVariable {
  name: string;
  /** An example of its value, from the archive. */
  example: string | undefined;
  isSecret: boolean;
}

/** Maximum number of fields. */
const maxFields = 20;

/** Names after `the variable` or `the variables` in the messages of failed deployments. */
const named = /\bvariables? ([A-Z][A-Z0-9_]*(?:(?:, | and )[A-Z][A-Z0-9_]*)*)/g;

/**
 * The variables that would repair a deployment: those that its message names, and then the required ones that are not set. Empty if the message
 * names none, because then something else is wrong.
 */
export function missingVariables({ error_message, plan }: DeploymentDetail, set: ReadonlySet<string>): MissingVariable[] {
  const message = error_message ?? '';
  const asked = plan?.asked_variables ?? [];
  const quoted = new Set(message.split(/[^A-Za-z0-9_]+/));
  const names = [
    ...[...message.matchAll(named)].flatMap(([, list = '']) => list.split(/, | and /)),
    ...asked.map(({ name }) => name).filter((name) => quoted.has(name)),
  ];
  if (names.length === 0) return [];
  const alsoNeeded = asked.filter(({ name, required }) => required && !set.has(name)).map(({ name }) => name);
  return [...new Set([...names, ...alsoNeeded])].slice(0, maxFields).map((name) => {
    const known = asked.find((each) => each.name === name);
    return { name, example: known?.example, isSecret: known?.secret ?? /KEY|TOKEN|SECRET|PASSWORD/.test(name) };
  });
}
