import type { Deployment } from '@paddock/contract';
import { type Tone, toneText } from '../../../ui/feedback/Badge.tsx';
import { type Notch, notches, statusLook } from '../../../ui/feedback/status.ts';
import { clockDuration, useNow } from '../../../ui/text/time.ts';
import { Glyph, type GlyphName } from '../../../ui/theme/Glyph.tsx';
import { stageTimes } from '../stages.ts';

const glyphs: Record<Notch, GlyphName> = { full: 'disc', working: 'arc', failed: 'cross', empty: 'ring' };
const words: Record<Notch, string> = { full: 'done', working: 'in progress', failed: 'failed', empty: 'not reached' };

/** The stage rail at full length: each stage with its time and its outcome. */
export function StageSteps({ deployment }: { deployment: Deployment }) {
  const now = useNow();
  const row = marks(deployment);
  const { tone } = statusLook(deployment.status);
  const toneAt = (notch: Notch): Tone => {
    if (notch === 'empty') return 'neutral';
    return notch === 'full' && deployment.status === 'failed' ? 'success' : tone;
  };
  const moves = deployment.status === 'building' || deployment.status === 'deploying';
  return (
    <ol aria-label="Stages" className="grid grid-cols-2 gap-x-1 gap-y-3 sm:grid-cols-4">
      {stageTimes(deployment, now).map(({ stage, label, ms }, index) => {
        const notch = row[index] ?? 'empty';
        return (
          <li key={stage} className="min-w-0">
            <span
              aria-hidden="true"
              className={`mb-2 block h-1 ${toneText[toneAt(notch)]} ${barLook(notch, moves)} forced-colors:outline`}
            />
            <span className={`flex items-center gap-2 text-base font-semibold capitalize ${notch === 'failed' ? 'text-error-fg' : ''}`}>
              <span className={toneText[toneAt(notch)]}>
                <Glyph name={glyphs[notch]} />
              </span>
              {label}
              <span className="sr-only">, {words[notch]}</span>
            </span>
            <span className="block pl-5 text-sm text-muted">
              {notch === 'failed' ? 'Failed here' : null}
              {notch === 'empty' ? 'Not reached' : null}
              {ms !== null ? `${notch === 'failed' ? ' after ' : ''}${clockDuration(ms)}` : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function barLook(notch: Notch, moves: boolean): string {
  if (notch === 'empty') return 'bg-border';
  if (notch !== 'working') return 'bg-current';
  return moves ? 'hatch hatch-moving' : 'hatch';
}

/** A stopped deployment shows the stages that it reached; in the list its rail is empty. */
function marks(deployment: Deployment): Notch[] {
  if (deployment.status !== 'stopped') return notches(deployment.status, deployment.failed_stage ?? undefined);
  const reached = [deployment.created_at, deployment.building_at, deployment.deploying_at, deployment.deployed_at];
  return reached.map((time) => (time === null ? 'empty' : 'full'));
}
