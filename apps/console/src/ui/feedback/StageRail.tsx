import { Glyph } from '../theme/Glyph.tsx';
import { toneText } from './Badge.tsx';
import { type Notch, notches, type Stage, stages, statusLook } from './status.ts';

type Props = {
  status: string;
  /** The stage in which a deployment failed. */
  failedAt?: Stage | undefined;
  /** Text beside the rail: 'at build', '0:42'. */
  note?: string | undefined;
};

/** Four notches: queued, building, deploying, active. The current stage is hatched, a failed stage crossed. */
export function StageRail({ status, failedAt, note }: Props) {
  const row = notches(status, failedAt);
  const at = row.findIndex((notch) => notch === 'working' || notch === 'failed');
  const where = at < 0 ? '' : `, stage ${at + 1} of ${stages.length} (${stages[at]})`;
  const { tone, word } = statusLook(status);
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span role="img" aria-label={`${word}${where}`} className={`inline-flex h-3 items-center gap-[3px] ${toneText[tone]}`}>
        {row.map((notch, index) => (
          <NotchMark key={stages[index]} notch={notch} moves={status === 'building' || status === 'deploying'} />
        ))}
      </span>
      {note ? <span className="text-xs text-muted">{note}</span> : null}
    </span>
  );
}

function NotchMark({ notch, moves }: { notch: Notch; moves: boolean }) {
  if (notch === 'failed') {
    return (
      <span className="inline-flex w-4 justify-center">
        <Glyph name="cross" />
      </span>
    );
  }
  const look = {
    full: 'bg-current forced-colors:bg-[CanvasText]',
    working: `hatch ${moves ? 'hatch-moving' : ''}`,
    empty: 'bg-border forced-colors:bg-transparent forced-colors:outline',
  }[notch];
  return <span className={`h-1 w-4 ${look}`} />;
}
