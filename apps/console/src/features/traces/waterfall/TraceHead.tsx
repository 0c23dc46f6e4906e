import type { TraceDetail } from '@paddock/contract';
import { countText, latencyText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import type { ReactNode, Ref } from 'react';
import { PageLink } from '../../../navigation/links.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { IdText } from '../../../ui/text/IdText.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { CostText } from '../CostText.tsx';
import { modelsText } from '../models-text.ts';
import { statusLooks } from '../words.ts';

interface Props {
  trace: TraceDetail;
  deploymentId: string;
  headRef: Ref<HTMLHeadingElement>;
}

/** Summary of a trace, with a link to its log lines. */
export function TraceHead({ trace, deploymentId, headRef }: Props) {
  const { tone, glyph, word } = statusLooks[trace.status];
  const facts: [string, ReactNode][] = [
    ['Duration', latencyText(trace.duration_ms)],
    ['Tokens in', countText(trace.input_tokens)],
    ['Tokens out', countText(trace.output_tokens)],
    ['Cost', <CostText key="cost" cost={trace} />],
    ['Models', modelsText(trace.models, 6)],
    ['Began', <Timestamp key="began" at={trace.started_at} />],
  ];
  return (
    <header className="mb-4">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 ref={headRef} tabIndex={-1} className="text-lg font-bold wrap-anywhere outline-none">
          {shownText(trace.name) || 'Unnamed'}
        </h2>
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
      </div>
      <p className="mb-2.5 flex flex-wrap items-center gap-x-2 text-muted">
        <IdText id={trace.trace_id} />
        <CopyButton text={trace.trace_id} label="Copy trace id" />
        <span aria-hidden="true">·</span>
        <PageLink to="/deployments/$id" params={{ id: deploymentId }} search={{ search: trace.trace_id }} hash="log">
          Log lines of this trace
        </PageLink>
        <span aria-hidden="true">·</span>
        <PageLink to="/governance" search={{ lineage: trace.trace_id }}>
          Data lineage
        </PageLink>
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="font-semibold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}
