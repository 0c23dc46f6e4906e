import type { GovernanceSummary } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import type { ReactNode } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Meter } from '../../../ui/feedback/Meter.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteTime } from '../../../ui/text/time.ts';
import { type Outcome, useVerify } from './use-verify.ts';

type Chain = GovernanceSummary['chain'];

/** The result of the last verification of the chain, and the button that verifies it again. */
export function ChainState({ chain }: { chain: Chain }) {
  const { progress, outcome, error, busy, run, stop } = useVerify();
  return (
    <section aria-label="Chain of records" className="mb-4 border border-border bg-surface px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
        <Verified of={chain.verified} />
        <Fact term="Head">{numberOf(chain.head_seq)}</Fact>
        <Fact term="Last checkpoint">
          {chain.checkpoint_seq > 0 ? (
            <>
              {numberOf(chain.checkpoint_seq)}
              {chain.checkpoint_at ? (
                <span className="ml-1.5 text-muted">
                  <Timestamp at={chain.checkpoint_at} />
                </span>
              ) : null}
            </>
          ) : (
            'none yet'
          )}
        </Fact>
        <Fact term="Key">
          <span className="font-mono text-mono">{shownText(chain.key_id, 16)}</span>
          <CopyButton text={chain.key_id} label="Copy key id" />
        </Fact>
        <span className="ml-auto flex gap-2">
          {busy ? <Button onClick={stop}>Stop</Button> : null}
          <Button busy={busy} onClick={run}>
            Verify now
          </Button>
        </span>
      </div>
      {busy && progress ? (
        <div className="mt-2">
          <Meter
            label="Verifying"
            value={progress.upTo}
            max={progress.head}
            text={`${numberOf(progress.upTo)} of ${numberOf(progress.head)}`}
          />
        </div>
      ) : null}
      <p role="status" className="mt-1 text-sm text-muted empty:hidden">
        {error ? (
          <span className="text-error-fg">
            {failureText(error, 'The chain could not be verified. This does not mean that records were changed.')}
          </span>
        ) : null}
        {outcome && !busy && !error ? outcomeText(outcome) : null}
      </p>
    </section>
  );
}

function Verified({ of: verified }: { of: Chain['verified'] }) {
  const zone = useZone();
  if (verified === null)
    return (
      <Badge tone="neutral" glyph="bar">
        Never verified
      </Badge>
    );
  const { valid, up_to_seq, verified_at, first_bad } = verified;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={valid ? 'success' : 'error'} glyph={valid ? 'tick' : 'cross'}>
        {valid ? `Verified up to ${numberOf(up_to_seq)}` : `Broken at ${numberOf(first_bad?.seq ?? up_to_seq)}`}
      </Badge>
      <span className="text-muted">at {absoluteTime(Date.parse(verified_at), zone)}</span>
      {first_bad ? <span className="text-error-fg wrap-anywhere">{shownText(first_bad.reason)}</span> : null}
    </span>
  );
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <span className="inline-flex flex-wrap items-center gap-x-1.5">
    <span className="text-muted">{term}</span>
    <span className="inline-flex items-center">{children}</span>
  </span>
);

const numberOf = (seq: number) => `#${seq.toLocaleString('en')}`;

function outcomeText({ checked, last, isStopped }: Outcome): string {
  const records = plural(checked, 'record');
  if (last?.first_bad) return `Record ${numberOf(last.first_bad.seq)} is not valid: ${shownText(last.first_bad.reason)}.`;
  if (last && !last.valid) return 'The chain does not match its signed checkpoints.';
  if (isStopped) return `Stopped. ${records} checked, all valid.`;
  const open =
    last && last.head_seq > last.checkpoint_seq
      ? ` Records after ${numberOf(last.checkpoint_seq)} will be covered by a signed checkpoint within three minutes.`
      : '';
  return `${records} checked, all valid.${open}`;
}
