import type { Environment, Project } from '@paddock/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { environmentWords } from './messages.ts';

interface Filters {
  project?: string;
  environment?: Environment;
}

interface Props {
  filters: Filters;
  projects: readonly Project[];
  onChange: (filters: Filters) => void;
}

/** Filters of the database list, kept in the address. */
export function DatabaseFilters({ filters, projects, onChange }: Props) {
  const { project = '', environment = '' } = filters;
  const set = (name: keyof Filters, value: string) => {
    const { [name]: _, ...rest } = filters;
    onChange(value === '' ? rest : { ...rest, [name]: value as Environment });
  };
  const width = 'max-w-52 min-w-36 max-sm:min-w-0 max-sm:grow max-sm:basis-auto';
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5">
      <div className={width}>
        <Select aria-label="Filter by project" value={project} onChange={(event) => set('project', event.target.value)}>
          <option value="">All projects</option>
          {project !== '' && !projects.some(({ id }) => id === project) ? <option value={project}>One project</option> : null}
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <div className={width}>
        <Select aria-label="Filter by environment" value={environment} onChange={(event) => set('environment', event.target.value)}>
          <option value="">All environments</option>
          {Object.entries(environmentWords).map(([id, word]) => (
            <option key={id} value={id}>
              {word}
            </option>
          ))}
        </Select>
      </div>
      {project !== '' || environment !== '' ? (
        <Button variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}
