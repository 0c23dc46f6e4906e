import type { DeploymentStatus, Environment, Project } from '@paddock/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Switch } from '../../../ui/controls/Switch.tsx';
import { statusLooks } from '../../../ui/feedback/status.ts';
import { setZone, useZone } from '../../../ui/preferences/zone.ts';
import { environmentWords } from '../messages.ts';
import type { DeploymentsSearch } from '../search.ts';

type Filters = Pick<DeploymentsSearch, 'project' | 'status' | 'environment'>;

interface Props {
  filters: Filters;
  projects: readonly Project[];
  onChange: (filters: Filters) => void;
}

/** Filters of the deployment list, kept in the address. */
export function DeploymentFilters({ filters, projects, onChange }: Props) {
  const zone = useZone();
  const { project, status, environment } = filters;
  const set = (name: keyof Filters, value: string) => {
    const { [name]: _, ...rest } = filters;
    onChange(value === '' ? rest : { ...rest, [name]: value as DeploymentStatus & Environment });
  };
  const isFiltered = project !== undefined || status !== undefined || environment !== undefined;
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
      <Choice label="Status" value={status} all="All statuses" onChange={(value) => set('status', value)}>
        {Object.entries(statusLooks).map(([id, { word }]) => [id, word])}
      </Choice>
      <Choice label="Environment" value={environment} all="All environments" onChange={(value) => set('environment', value)}>
        {Object.entries(environmentWords)}
      </Choice>
      <Choice label="Project" value={project} all="All projects" onChange={(value) => set('project', value)}>
        {projects.map(({ id, name }) => [id, name])}
      </Choice>
      {isFiltered ? (
        <Button variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      ) : null}
      <span className="ml-auto">
        <Switch label="Times in UTC" checked={zone === 'utc'} onChange={(event) => setZone(event.target.checked ? 'utc' : 'local')} />
      </span>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  all: string;
  onChange: (value: string) => void;
  children: readonly (readonly [id: string, word: string])[];
}

function Choice({ label, value = '', all, onChange, children }: ChoiceProps) {
  return (
    <div className="max-w-52 min-w-36 max-sm:min-w-0 max-sm:grow max-sm:basis-auto">
      <Select aria-label={`Filter by ${label.toLowerCase()}`} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{all}</option>
        {value !== '' && !children.some(([id]) => id === value) ? <option value={value}>One {label.toLowerCase()}</option> : null}
        {children.map(([id, word]) => (
          <option key={id} value={id}>
            {word}
          </option>
        ))}
      </Select>
    </div>
  );
}
