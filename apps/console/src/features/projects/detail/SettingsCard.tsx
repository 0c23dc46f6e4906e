import type { Project } from '@paddock/contract';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { IdText } from '../../../ui/text/IdText.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';

interface Props {
  project: Project;
  onEdit: () => void;
  onDelete: () => void;
}

/** The settings of a project, with buttons to change them. */
export function SettingsCard({ project, onEdit, onDelete }: Props) {
  const { id, name, description, created_at, build_settings } = project;
  const facts: [string, ReactNode][] = [
    ['Name', name],
    ['Description', description || <span className="text-muted">None</span>],
    ['Build settings', <BuildSettings key="build" settings={build_settings} />],
    ['Created', <Timestamp key="created" at={created_at} />],
    [
      'Id',
      <span key="id" className="-my-1 flex items-center gap-1">
        <IdText id={id} />
        <CopyButton text={id} label="Copy project id" />
      </span>,
    ],
  ];
  return (
    <Card
      title="Project settings"
      actions={
        <>
          <PageLink to="/settings" search={{ tab: 'alerts', project: id }}>
            Alert rules
          </PageLink>
          <PageLink to="/settings" search={{ tab: 'data-protection', project: id }}>
            Data protection
          </PageLink>
        </>
      }
    >
      <dl className="grid items-baseline grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2 border-t border-border pt-3">
        <Button icon={<Icon of={Pencil} />} onClick={onEdit}>
          Edit project
        </Button>
        <Button variant="danger" icon={<Icon of={Trash2} />} onClick={onDelete}>
          Delete project
        </Button>
      </div>
    </Card>
  );
}

/** Settings for uploads without settings of their own. They are changed in the deployment form. */
function BuildSettings({ settings }: { settings: Project['build_settings'] }) {
  const words = { root: 'Folder', start: 'Start command', packages: 'Packages' } as const;
  const kept = (['root', 'start', 'packages'] as const).filter((each) => settings?.[each]);
  if (kept.length === 0) return <span className="text-muted">None: detected from each upload</span>;
  return (
    <>
      <ul>
        {kept.map((each) => (
          <li key={each}>
            {words[each]} <code className="font-mono text-mono wrap-anywhere">{settings?.[each]}</code>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">Later uploads use these. To change them, edit the build settings when you deploy.</p>
    </>
  );
}
