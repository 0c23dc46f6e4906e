import type { DeploymentDetail } from '@paddock/contract';
import { Card } from '../../../ui/layout/Card.tsx';
import { Glyph } from '../../../ui/theme/Glyph.tsx';
import { OtherStarts } from './OtherStarts.tsx';

const languages: Record<string, string> = { node: 'Node.js', python: 'Python', static: 'Static site', shell: 'Shell script' };

interface Props {
  plan: NonNullable<DeploymentDetail['plan']>;
  deployment: DeploymentDetail;
  /** Folded, it does not offer the other ways to start. */
  isFolded?: boolean;
}

/** The builder's decisions, and the file that caused each of them. */
export function PlanCard({ plan, deployment, isFolded = false }: Props) {
  const agentType = deployment.agent_type;
  const command = (words: string[] | null | undefined) =>
    words ? <code className="font-mono text-mono break-words">{words.join(' ')}</code> : 'None';
  const facts: [string, React.ReactNode][] = [
    ['Language', [languages[plan.language] ?? plan.language, plan.version].filter(Boolean).join(' ')],
    ...(plan.framework ? [['Framework', plan.framework] satisfies [string, string]] : []),
    ['Kind', plan.type ?? (agentType ? `${agentType}, detected at runtime` : 'Detected at runtime')],
    ...(plan.root
      ? [
          [
            'Folder',
            <code className="font-mono text-mono" key="root">
              {plan.root}
            </code>,
          ] satisfies [string, React.ReactNode],
        ]
      : []),
    ['Install', command(plan.install?.command)],
    ['Build', command(plan.build)],
    ['Start', command(plan.start)],
    ...(plan.health ? [['Health', command([plan.health])] satisfies [string, React.ReactNode]] : []),
  ];
  return (
    <Card title="Plan" isFolded={isFolded}>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {plan.warnings.length > 0 ? (
        <ul aria-label="Warnings" className="mt-3 flex flex-col gap-1 text-sm text-warning-fg">
          {plan.warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-2">
              <span className="mt-1">
                <Glyph name="triangle" />
              </span>
              <span className="min-w-0 break-words">{warning}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {!isFolded && plan.choices && plan.choices.length > 0 ? (
        <div className="mt-3 border-t border-border pt-3">
          <h3 className="mb-2 text-sm font-semibold text-muted">Other ways to start</h3>
          <OtherStarts deployment={deployment} choices={plan.choices} />
        </div>
      ) : null}
      {plan.reasons.length > 0 ? (
        <details className="mt-3">
          <summary className="text-sm font-semibold text-muted">Why: {plan.reasons.length} decisions with their source files</summary>
          <ul className="mt-2 flex flex-col gap-1.5 text-sm">
            {plan.reasons.map(({ what, value, because }) => (
              <li key={`${what} ${value}`} className="break-words">
                <span className="font-semibold">{what}</span> <code className="font-mono text-mono">{value}</code>
                <span className="text-muted">, based on {because}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Card>
  );
}
