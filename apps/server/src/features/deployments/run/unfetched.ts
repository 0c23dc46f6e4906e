import type { Plan } from '@paddock/builder';

/** The cause of an error in a package that was installed without the program which its install script fetches; undefined if it is another. */
export function findUnfetched(text: string, unfetched: Plan['unfetched'] = []): string | undefined {
  const one = unfetched.find(({ name }) => text.includes(`node_modules/${name}/`));
  if (one === undefined) return undefined;
  return `The package ${one.name} lacks the program that its install script fetches. ${one.reason} Ask the operator to let builds reach that host, or use a version that brings it along, and deploy again.`;
}
