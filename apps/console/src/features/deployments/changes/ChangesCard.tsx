import type { Deployment } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { Changes } from './Changes.tsx';
import { othersQuery, provenanceQuery } from './queries.ts';

interface Props {
  deployment: Deployment;
  /** The id of the deployment that it is compared with; empty for none. */
  other: string;
  onOther: (id: string) => void;
}

/** The changes of a deployment against one that can be chosen. Nothing is compared before one is. */
export function ChangesCard({ deployment: { id, project_id }, other, onOther }: Props) {
  const before = useQuery(provenanceQuery(id)).data?.predecessor?.id;
  // Whether the card is folded is decided once, so that nothing moves under the reader.
  const [isFolded] = useState(other === '');
  const [isOpen, setOpen] = useState(!isFolded);
  const rows = useQuery({ ...othersQuery(project_id), enabled: isOpen }).data?.deployments ?? [];
  const zone = useZone();
  const others = rows.filter((row) => row.id !== id);
  const ids = [before, other].flatMap((each) => (each && !others.some((row) => row.id === each) ? [each] : []));
  const text = (each: string, more: string[]) => [`…${each.slice(-4)}`, ...(each === before ? ['served before'] : []), ...more].join(', ');
  return (
    <Card title="Changes" isFolded={isFolded} onOpen={() => setOpen(true)}>
      <div className="flex flex-col gap-3">
        <div className="max-w-96">
          <Field label="Compare with">
            <Select value={other} onChange={({ target }) => onOther(target.value)}>
              <option value="">Choose a deployment</option>
              {[...new Set(ids)].map((each) => (
                <option key={each} value={each}>
                  {text(each, [])}
                </option>
              ))}
              {others.map((row) => (
                <option key={row.id} value={row.id}>
                  {text(row.id, [absoluteTime(Date.parse(row.created_at), zone), row.status, row.environment])}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {other === '' ? null : <Changes key={other} id={id} other={other} />}
      </div>
    </Card>
  );
}
