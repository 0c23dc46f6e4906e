import { useNavigate } from '@tanstack/react-router';
import { TraceList } from './TraceList.tsx';
import { isTraceId, type TracesProps, type TraceView } from './view.ts';
import { TracePanel } from './waterfall/TracePanel.tsx';

/** The traces of a deployment, or the open one. Set its `key` to the deployment's id. */
export function TracesPanel(props: TracesProps) {
  const { view, queryOf } = props;
  const navigate = useNavigate();
  const show = (next: TraceView, { replace = true } = {}) =>
    void navigate({ to: '.', search: queryOf(next), replace, resetScroll: false, hashScrollIntoView: false });
  return isTraceId(view.trace) ? (
    <TracePanel key={view.trace} {...props} id={view.trace} show={show} />
  ) : (
    <TraceList {...props} show={show} />
  );
}
