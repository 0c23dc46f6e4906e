import type { TraceDetail } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { plural } from '@paddock/contract/plural';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { traceQuery } from '../queries.ts';
import type { Show, TracesProps } from '../view.ts';
import { SpanDrawer } from './SpanDrawer.tsx';
import { TraceHead } from './TraceHead.tsx';
import { useTree } from './use-tree.ts';
import { Waterfall } from './Waterfall.tsx';

type Props = TracesProps & { id: string; show: Show };

/** A trace, shown instead of the list. */
export function TracePanel(props: Props) {
  const { deploymentId, id, view, queryOf } = props;
  const query = useQuery(traceQuery(deploymentId, id));
  const isUnknown = query.error instanceof ApiError && query.error.code === 'trace_not_found';
  const back = (
    <ButtonLink to="." search={queryOf({ ...view, trace: undefined, span: undefined })}>
      All traces
    </ButtonLink>
  );
  if (isUnknown) return <EmptyState action={back}>{query.error?.message}</EmptyState>;
  return (
    <section aria-label="Trace">
      <div className="mb-3">{back}</div>
      <Loaded
        query={query}
        failed="The trace could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton rows={8} />}
      >
        {(data) => <Opened {...props} trace={data} />}
      </Loaded>
    </section>
  );
}

function Opened({ trace, deploymentId, view, show }: Props & { trace: TraceDetail }) {
  const { spans, duration_ms, span_count } = trace;
  const tree = useTree(spans, view.span);
  const open = tree.rows.find(({ key }) => key === view.span)?.span;
  const head = useRef<HTMLHeadingElement>(null);
  // Focus the head: the focused element disappeared with the list.
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  const failed = spans.filter(({ status }) => status === 'error').length;
  return (
    <>
      <TraceHead trace={trace} deploymentId={deploymentId} headRef={head} />
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <span className="mr-auto text-sm text-muted">
          {span_count > spans.length
            ? `${spans.length.toLocaleString('en')} of ${span_count.toLocaleString('en')} spans are kept`
            : plural(spans.length, 'span')}
          <span className="pointer-coarse:hidden">. Arrow keys move, collapse and expand; Enter shows a span.</span>
        </span>
        {failed > 0 ? <Button onClick={tree.toNextError}>Next error</Button> : null}
        {spans.length > 1 ? (
          <Button onClick={tree.isAnyFolded ? tree.unfoldAll : tree.foldAll}>{tree.isAnyFolded ? 'Expand all' : 'Collapse all'}</Button>
        ) : null}
      </div>
      <Waterfall tree={tree} spans={spans} durationMs={duration_ms} onOpen={(row) => show({ ...view, span: tree.rows[row]?.key })} />
      {open ? <SpanDrawer span={open} onClose={() => show({ ...view, span: undefined })} /> : null}
    </>
  );
}
