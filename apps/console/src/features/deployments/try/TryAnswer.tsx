import type { TryHead } from '@paddock/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { Badge, type Tone } from '../../../ui/feedback/Badge.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { bytesText } from '../../../ui/text/bytes.ts';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';
import { AnswerHeaders } from './AnswerHeaders.tsx';
import { AnswerText } from './AnswerText.tsx';
import { msText } from './ms-text.ts';
import { traceLink } from './trace-link.ts';
import type { Progress } from './use-try.ts';

type Props = { deploymentId: string; progress: Progress; reading?: string | undefined; isUnderWay: boolean };

/** The agent's response so far: status and times, body, and headers. */
export function TryAnswer({ deploymentId, progress, reading, isUnderWay }: Props) {
  const { head, body, end, file, wasCancelled = false } = progress;
  const trace = head && traceLink(deploymentId, head);
  const requestId = head?.headers.find(({ name }) => name.toLowerCase() === 'x-request-id')?.value;
  return (
    <section aria-label="Response" className="flex min-w-0 flex-col gap-3 border-t border-border pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {head ? <StatusBadge status={head.status} /> : null}
          <span>{stateText(progress, isUnderWay)}</span>
        </span>
        {head ? <span className="text-sm text-muted">First byte after {msText(head.first_byte_ms)}</span> : null}
        {body ? <span className="text-sm text-muted">{bytesText(body.bytes)}</span> : null}
        {trace ? (
          <span className="text-sm">
            {/* Opens a new tab: the response is kept nowhere else. */}
            <TextLink href={trace.href} target="_blank" rel="noreferrer">
              Trace
            </TextLink>
          </span>
        ) : null}
      </div>
      {end && end.outcome !== 'complete' ? <Banner tone="warning">{end.detail}</Banner> : null}
      {reading ? <AnswerText label="Response text" text={reading} /> : null}
      {body?.kind === 'text' && body.text !== '' ? <Body text={body.text} isFolded={Boolean(reading)} /> : null}
      {body?.kind === 'binary' && body.bytes > 0 ? (
        <p className="text-muted">The response is not text: {bytesText(body.bytes)}. Save it to view it.</p>
      ) : null}
      {body?.isCut ? <p className="text-sm text-muted">Only the beginning is shown. Save the response to get all of it.</p> : null}
      {body && body.bytes === 0 && !isUnderWay ? <p className="text-muted">The response has no body.</p> : null}
      {head ? <AnswerHeaders headers={head.headers} requestId={requestId} /> : null}
      {file && body && body.bytes > 0 && (end || wasCancelled) ? (
        <div>
          <Button onClick={() => save(file())}>Save response</Button>
        </div>
      ) : null}
    </section>
  );
}

/** The raw body; folded if its text is shown above. */
function Body({ text, isFolded }: { text: string; isFolded: boolean }) {
  const body = <AnswerText label="Response body" text={text} />;
  if (!isFolded) return body;
  return (
    <details>
      <summary className="text-sm font-semibold text-muted">Raw response</summary>
      {body}
    </details>
  );
}

function stateText({ head, end, wasCancelled }: Progress, isUnderWay: boolean): string {
  if (wasCancelled) return 'Cancelled';
  if (end) return end.outcome === 'complete' ? `Complete after ${msText(end.total_ms)}` : `Ended after ${msText(end.total_ms)}`;
  if (!isUnderWay) return '';
  return head ? 'Receiving the response …' : 'Waiting for the response …';
}

const looks: [below: number, tone: Tone, glyph: GlyphName][] = [
  [300, 'success', 'tick'],
  [400, 'info', 'ring'],
  [500, 'warning', 'triangle'],
  [Number.POSITIVE_INFINITY, 'error', 'cross'],
];

function StatusBadge({ status }: Pick<TryHead, 'status'>) {
  const [, tone, glyph] = looks.find(([below]) => status < below)!;
  return (
    <Badge tone={tone} glyph={glyph}>
      Status {status}
    </Badge>
  );
}

function save(file: Blob) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: 'answer.bin' }).click();
  // The click has used the URL by then.
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
