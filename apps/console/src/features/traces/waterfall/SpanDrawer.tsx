import type { Span } from '@paddock/contract';
import { exactDollarText, latencyText } from '@paddock/contract/figures';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Drawer } from '../../../ui/overlays/Drawer.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { IdText } from '../../../ui/text/IdText.tsx';
import { absoluteTime } from '../../../ui/text/time.ts';
import { costText } from '../words.ts';
import { attributeText, maxShown } from './attribute-text.ts';
import { extractContents, isLong } from './content-text.ts';
import { SpanContent } from './SpanContent.tsx';
import { spanTypes } from './span-types.ts';

/** The details of a span. */
export function SpanDrawer({ span, onClose }: { span: Span; onClose: () => void }) {
  const attributes = Object.entries(span.attributes);
  return (
    <Drawer open onClose={onClose} title={shownText(span.name) || 'Unnamed'}>
      <div className="flex flex-col gap-5">
        {span.status === 'error' ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone="error" glyph="cross">
              Error
            </Badge>
            <span className="min-w-0 wrap-anywhere">{span.status_message ? shownText(span.status_message, maxShown) : 'No message'}</span>
          </div>
        ) : null}
        <div>
          <Facts of={listSpanFacts(span, useZone())} />
          <p className="mt-1.5 flex items-center gap-2 text-muted">
            Span <IdText id={shownText(span.span_id, 64)} />
            <CopyButton text={span.span_id} label="Copy span id" />
          </p>
        </div>
        {isCall(span) ? (
          <Part title="Tokens and cost">
            <Facts of={listUsage(span)} />
            {span.is_counted || span.input_tokens === null ? null : (
              <p className="mt-1.5 text-sm text-muted">
                Spans within this one report the same tokens, so the trace counts them only there.
              </p>
            )}
          </Part>
        ) : null}
        <Part title="Attributes">
          {attributes.length > 0 ? (
            <Attributes of={span.attributes} label="Attributes" />
          ) : (
            <p className="text-muted">No attributes were sent.</p>
          )}
          {span.content_dropped > 0 ? (
            <p className="mt-1.5 text-sm text-muted">
              Prompts and answers are not stored: {plural(span.content_dropped, 'attribute')} with their content{' '}
              {span.content_dropped === 1 ? 'was' : 'were'} dropped.
            </p>
          ) : null}
          {span.dropped > 0 ? (
            <p className="mt-1.5 text-sm text-muted">
              {span.dropped.toLocaleString('en')} more attributes or events were too many or too large, and are not stored.
            </p>
          ) : null}
        </Part>
        {span.events.length > 0 ? (
          <Part title="Events">
            <ul className="flex flex-col gap-3">
              {span.events.map(({ name, at_ms, attributes: details }, index) => (
                <li key={index}>
                  <p className="mb-1 flex flex-wrap gap-x-3">
                    <b className="font-semibold wrap-anywhere">{shownText(name) || 'Unnamed'}</b>
                    <span className="text-muted">after {latencyText(at_ms)}</span>
                  </p>
                  {Object.keys(details).length > 0 ? <Attributes of={details} label={`Attributes of event ${index + 1}`} /> : null}
                </li>
              ))}
            </ul>
          </Part>
        ) : null}
      </div>
    </Drawer>
  );
}

const isCall = (span: Span) =>
  span.model !== null || span.input_tokens !== null || span.output_tokens !== null || span.first_chunk_ms !== null;

const origins = { gateway: 'Measured by the gateway', agent: 'Sent by the agent' } as const;

function listSpanFacts(span: Span, zone: 'local' | 'utc'): [string, string][] {
  const { provider, model } = span;
  return [
    ['Type', `${spanTypes[span.type].word}, ${span.kind}`],
    ['Began', absoluteTime(Date.parse(span.started_at), zone)],
    ['Offset', `${latencyText(span.offset_ms)} into the trace`],
    ['Duration', latencyText(span.duration_ms)],
    ...(span.status_message && span.status !== 'error' ? [['Status', shownText(span.status_message, maxShown)] as [string, string]] : []),
    ...(provider === null ? [] : [['Provider', shownText(provider)] as [string, string]]),
    ...(model === null ? [] : [['Model', shownText(model)] as [string, string]]),
    ['Origin', origins[span.origin]],
    ...(span.parent_span_id === null ? [] : [['Parent id', shownText(span.parent_span_id, 64)] as [string, string]]),
  ];
}

const isPriced = ({ is_counted, model, input_tokens, output_tokens }: Span) =>
  is_counted && model !== null && (input_tokens !== null || output_tokens !== null);

/** Unabbreviated numbers, since this is the detailed view. */
const exact = (count: number | null) => count?.toLocaleString('en') ?? '–';

const listUsage = (span: Span): [string, string][] => [
  ['Input', exact(span.input_tokens)],
  ['of which cached', exact(span.cached_tokens)],
  ['of which written to cache', exact(span.cache_write_tokens)],
  ['Output', exact(span.output_tokens)],
  ['of which reasoning', exact(span.reasoning_tokens)],
  ['Time to first chunk', latencyText(span.first_chunk_ms)],
  ...(isPriced(span) ? [['Cost', span.cost_usd === null ? costText(null) : exactDollarText(span.cost_usd)] as [string, string]] : []),
];

const Facts = ({ of }: { of: readonly [string, string][] }) => (
  <dl className="grid grid-cols-[9rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 max-sm:grid-cols-[7rem_minmax(0,1fr)]">
    {of.map(([term, value]) => (
      <div key={term} className="contents">
        <dt className="text-muted">{term}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-base font-bold">{title}</h3>
      {children}
    </section>
  );
}

function Attributes({ of, label }: { of: Span['attributes']; label: string }) {
  const short = Object.entries(of).filter(([, value]) => !isLong(value));
  return (
    <>
      {short.length > 0 ? <ShortAttributes of={short} label={label} /> : null}
      {extractContents(of).map((content) => (
        <SpanContent key={content.name} content={content} />
      ))}
    </>
  );
}

const ShortAttributes = ({ of, label }: { of: readonly [string, Span['attributes'][string]][]; label: string }) => (
  <table className="w-full table-fixed border border-border text-left font-mono text-mono">
    <caption className="sr-only">{label}</caption>
    <tbody>
      {of.map(([name, value]) => (
        <tr key={name} className="border-t border-border align-baseline first:border-t-0">
          <th scope="row" className="w-2/5 px-2 py-1 font-normal wrap-anywhere text-muted">
            {shownText(name)}
          </th>
          <td className="px-2 py-1 wrap-anywhere whitespace-pre-wrap">{attributeText(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
