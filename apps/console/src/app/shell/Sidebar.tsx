import { Link } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { Tooltip } from '../../ui/controls/Tooltip.tsx';
import { Avatar } from '../../ui/layout/Avatar.tsx';
import { Kbd } from '../../ui/text/Kbd.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { type Page, pages } from './pages.ts';

type Props = {
  /** 56 px wide: icons only. */
  narrow?: boolean;
  person: { name: string; email: string };
  showKeys: boolean;
  onLogout: () => void;
  /** Called after a page was chosen: closes the sheet on small screens. */
  onNavigate?: () => void;
};

/** The pages, and whose session this is. */
export function Sidebar({ narrow = false, person, showKeys, onLogout, onNavigate }: Props) {
  return (
    <div className="flex h-full flex-col">
      <nav aria-label="Pages" className="min-h-0 grow overflow-y-auto px-2.5 py-1">
        <ul>
          {pages.map((page) => (
            <li key={page.to}>
              {narrow ? (
                <Tooltip text={page.label} naming>
                  <PageEntry page={page} narrow showKeys={false} onNavigate={onNavigate} />
                </Tooltip>
              ) : (
                <PageEntry page={page} narrow={false} showKeys={showKeys} onNavigate={onNavigate} />
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div className={`flex items-center gap-2.5 border-t border-border py-3 ${narrow ? 'flex-col px-1' : 'pr-2 pl-4'}`}>
        <Avatar name={person.name || person.email} />
        <div className={narrow ? 'sr-only' : 'min-w-0 grow leading-tight'}>
          <div className="truncate text-base font-semibold">{person.name}</div>
          <div className="truncate text-xs text-muted">{person.email}</div>
        </div>
        <IconButton label="Logout" icon={<Icon of={LogOut} />} onClick={onLogout} />
      </div>
    </div>
  );
}

type EntryProps = { page: Page; narrow: boolean; showKeys: boolean; onNavigate: (() => void) | undefined };

function PageEntry({ page, narrow, showKeys, onNavigate }: EntryProps) {
  return (
    <Link
      to={page.to}
      onClick={onNavigate}
      activeOptions={{ exact: false, includeSearch: false }}
      className="group flex h-8 items-center gap-2.5 rounded-control border-l-2 border-transparent px-2 text-base text-muted no-underline transition-colors hover:bg-neutral-bg hover:text-text aria-[current=page]:rounded-l-none aria-[current=page]:border-accent aria-[current=page]:bg-surface aria-[current=page]:font-semibold aria-[current=page]:text-text pointer-coarse:h-11"
    >
      {narrow ? <Icon of={page.icon} /> : null}
      <span className={narrow ? 'sr-only' : 'grow truncate'}>{page.label}</span>
      {showKeys ? (
        <span
          aria-hidden="true"
          className="opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:hidden"
        >
          <Kbd keys={page.keys} />
        </span>
      ) : null}
    </Link>
  );
}
