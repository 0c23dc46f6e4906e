import type { Choice, DeploymentDetail } from '@paddock/contract';

/** Other ways to deploy the archive of a deployment. */
export const otherStarts = ({ plan, failure_choices }: Pick<DeploymentDetail, 'plan' | 'failure_choices'>): Choice[] => [
  ...(failure_choices ?? []),
  ...(plan?.choices ?? []),
];

/** Options of `paddock deploy`, quoted for a shell, with the reason: `--root 'api'   Python, FastAPI`. */
export const otherStartLines = (choices: readonly Choice[]): string[] =>
  choices.map(({ root, start, packages, because }) => {
    const options = [
      root === undefined ? undefined : `--root ${quoted(root)}`,
      start === undefined ? undefined : `--start ${quoted(start)}`,
      packages === undefined ? undefined : `--packages ${quoted(packages)}`,
    ];
    return `${options.filter(Boolean).join(' ')}   ${because}`;
  });

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
