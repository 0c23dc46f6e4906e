import { Field } from '../../ui/controls/Field.tsx';
import { TypedInput } from '../../ui/controls/TypedInput.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { fieldText, parseMoment } from './moments.ts';
import { type Go, type GovernanceView, isMoment } from './view.ts';

/** The start and end of the time range. The fields use and name the page's time zone; the address stores UTC. */
export function MomentFields({ view, go }: { view: Pick<GovernanceView, 'from' | 'to'>; go: Go }) {
  const zone = useZone();
  const zoneWord = zone === 'utc' ? 'UTC' : 'local time';
  const field = (name: 'from' | 'to') => (
    <TypedInput
      type="datetime-local"
      // The text of a moment depends on the zone.
      key={zone}
      value={fieldText(isMoment(view[name]) ? view[name] : undefined, zone)}
      onChange={(text) => {
        const moment = parseMoment(text, zone);
        if (moment !== undefined || text === '') go({ [name]: moment });
      }}
    />
  );
  return (
    <>
      <Field label={`From (${zoneWord})`}>{field('from')}</Field>
      <Field label={`To (${zoneWord})`}>{field('to')}</Field>
    </>
  );
}
