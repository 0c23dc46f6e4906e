import { toneText } from '../../../ui/feedback/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Glyph } from '../../../ui/theme/Glyph.tsx';
import { LinkButton } from './LinkButton.tsx';
import type { Claim } from './queries.ts';
import { controlLook } from './words.ts';

const cards = [
  ['data_privacy', 'Data Privacy'],
  ['access_control', 'Access Control'],
  ['security', 'Security'],
] as const satisfies [Claim['card'], string][];

/** Claims about privacy, access and security; each line links to the control that proves it. */
export const ClaimCards = ({ claims, onControl }: { claims: readonly Claim[]; onControl: (id: string) => void }) => (
  <div className="mt-4 grid gap-3 lg:grid-cols-3">
    {cards.map(([id, title]) => (
      <Card key={id} title={title}>
        <dl className="flex flex-col gap-1.5">
          {claims
            .filter(({ card }) => card === id)
            .map((claim) => (
              <Line key={claim.label} claim={claim} onControl={onControl} />
            ))}
        </dl>
      </Card>
    ))}
  </div>
);

function Line({ claim: { label, value, control, status }, onControl }: { claim: Claim; onControl: (id: string) => void }) {
  const { tone, glyph } = controlLook({ status });
  return (
    <div className="flex min-h-6 flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{label}</dt>
      <dd className="inline-flex items-center gap-2 font-semibold">
        <span className={toneText[tone]}>
          <Glyph name={glyph} />
        </span>
        {value}
        {control ? (
          <LinkButton label={`Evidence of ${label}: control ${control}`} onClick={() => onControl(control)}>
            {control}
          </LinkButton>
        ) : null}
      </dd>
    </div>
  );
}
