import type { InstalledPackage, Plan } from '@paddock/builder';
import type { DeploymentChanges } from '@paddock/contract';
import type { Compared } from './changes-store.ts';

const maxListed = 1_000;

interface Pair {
  after: Compared;
  before: Compared;
}

/** All differences except those of the files. */
export function diffRows({ after, before }: Pair): Omit<DeploymentChanges, 'files'> {
  const [digest, digestBefore] = [after.source_sha256, before.source_sha256];
  return {
    deployment_id: after.id,
    with_id: before.id,
    is_same_code: digest === null || digestBefore === null ? null : digest === digestBefore,
    packages: diffPackages(after, before),
    plan: after.plan === null || before.plan === null ? null : diffFacts(facts(after, after.plan), facts(before, before.plan)),
    variables: diffVariables(after.variable_times, before.variable_times),
  };
}

/** A package that is installed in several versions is compared by the list of them. */
function diffPackages(after: Compared, before: Compared): DeploymentChanges['packages'] {
  if (after.packages === null || before.packages === null) return null;
  const [now, earlier] = [versions(after.packages), versions(before.packages)];
  const all = [...now.keys(), ...[...earlier.keys()].filter((key) => !now.has(key))].flatMap((key) => {
    const [version, version_before] = [now.get(key)?.version ?? null, earlier.get(key)?.version ?? null];
    const { ecosystem, name } = (now.get(key) ?? earlier.get(key))!;
    return version === version_before ? [] : [{ ecosystem, name, version, version_before }];
  });
  const list = all.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxListed);
  return { list, total: all.length, is_partial: after.is_partial === true || before.is_partial === true };
}

function versions(packages: InstalledPackage[]): Map<string, { ecosystem: string; name: string; version: string }> {
  const grouped = Map.groupBy(packages, ({ ecosystem, name }) => `${ecosystem} ${name}`);
  return new Map(
    [...grouped].map(([key, all]) => {
      const { ecosystem, name } = all[0]!;
      const version = [...new Set(all.map((one) => one.version))].toSorted().join(', ');
      return [key, { ecosystem, name, version }];
    }),
  );
}

type Facts = Record<string, string | null>;

const commandText = (command: string[] | null | undefined) => command?.join(' ') ?? null;

const facts = ({ database_mode }: Compared, plan: Plan): Facts => ({
  language: plan.language,
  version: plan.version ?? null,
  framework: plan.framework ?? null,
  type: plan.type,
  root: plan.root === '' ? null : plan.root,
  install: commandText(plan.install?.command),
  build: commandText(plan.build),
  start: commandText(plan.start),
  start_in: plan.start_in ?? null,
  port: plan.port === undefined ? null : String(plan.port),
  health: plan.health ?? null,
  database_mode,
});

const diffFacts = (now: Facts, earlier: Facts) =>
  Object.entries(now).flatMap(([what, value]) => {
    const value_before = earlier[what] ?? null;
    return value === value_before ? [] : [{ what, value, value_before }];
  });

function diffVariables(now: Compared['variable_times'], earlier: Compared['variable_times']): DeploymentChanges['variables'] {
  if (now === null || earlier === null) return null;
  const names = [...new Set([...Object.keys(now), ...Object.keys(earlier)])].toSorted();
  return names.flatMap((name): NonNullable<DeploymentChanges['variables']> => {
    if (!Object.hasOwn(earlier, name)) return [{ name, change: 'added' }];
    if (!Object.hasOwn(now, name)) return [{ name, change: 'removed' }];
    return now[name] === earlier[name] ? [] : [{ name, change: 'changed' }];
  });
}
