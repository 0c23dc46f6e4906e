import type { Lineage } from '@paddock/contract';
import { latencyText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { Button } from '../../../ui/controls/Button.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { bytesText } from '../../../ui/text/bytes.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { stageLooks } from '../words.ts';

type Stage = Lineage['stages'][number];

interface Props {
  stages: readonly Stage[];
  /** Opens a record of the trail. */
  onRecord: (id: string) => void;
}

/** The stages in order, each with its time after the first. */
export function LineageTimeline({ stages, onRecord }: Props) {
  const began = Math.min(...stages.map(({ timestamp }) => Date.parse(timestamp)));
  const zone = useZone();
  return (
    <ol aria-label="Stages" className="list-none border-l-2 border-border-strong pl-4">
      {stages.map((stage, index) => {
        const { icon, word } = stageLooks[stage.stage];
        const at = Date.parse(stage.timestamp);
        return (
          <li key={index} className="relative py-2">
            <span aria-hidden="true" className="absolute top-4 -left-5.5 size-2.5 bg-accent" />
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <h3 className="inline-flex items-center gap-2 font-semibold">
                <Icon of={icon} />
                {word}
              </h3>
              {stage.name === null ? null : <span className="wrap-anywhere">{shownText(stage.name, 120)}</span>}
              <span className="ml-auto text-sm whitespace-nowrap text-muted">
                {index === 0 ? absoluteTime(at, zone) : `+ ${latencyText(at - began)}`}
              </span>
            </div>
            <p className="flex flex-wrap items-center gap-x-3 text-muted">
              <span className="wrap-anywhere">{shownText(stage.data_type, 80)}</span>
              {stage.size_bytes === null ? null : <span>{bytesText(stage.size_bytes, 1000)}</span>}
              {stage.duration_ms === null ? null : <span>took {latencyText(stage.duration_ms)}</span>}
              {isLastOfRecord(stages, index) ? (
                <Button variant="quiet" onClick={() => onRecord(stage.audit_id ?? '')}>
                  View record
                </Button>
              ) : null}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

/** Whether a stage is the last one that refers to its record: only that one links to it. */
const isLastOfRecord = (stages: readonly Stage[], index: number): boolean => {
  const id = stages[index]?.audit_id ?? null;
  return id !== null && stages.findLastIndex(({ audit_id }) => audit_id === id) === index;
};
