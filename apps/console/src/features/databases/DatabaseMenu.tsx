import type { Database } from '@paddock/contract';
import { Archive, ChartLine, Ellipsis, KeyRound, type LucideIcon, PenLine, Play, Square, Trash2 } from 'lucide-react';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { dangerous, type MenuItem } from '../../ui/overlays/menu-item.ts';
import { Icon } from '../../ui/theme/Icon.tsx';
import { fullName } from './messages.ts';
import { type DatabaseAction, may } from './states.ts';

export type DatabaseWish = 'connection' | 'metrics' | 'backups' | Exclude<DatabaseAction, 'backup' | 'export'>;

/** All actions that a database allows now. */
export function DatabaseMenu({ database, onWish }: { database: Database; onWish: (wish: DatabaseWish) => void }) {
  const item = (wish: DatabaseWish, label: string, icon: LucideIcon): MenuItem => ({ label, icon, onSelect: () => onWish(wish) });
  const act = (wish: Exclude<DatabaseAction, 'backup' | 'export'>, label: string, icon: LucideIcon): MenuItem[] =>
    may[wish](database) ? [item(wish, label, icon)] : [];
  const isManaged = database.mode === 'managed';
  return (
    <Menu
      label={`Actions for ${fullName(database)}`}
      groups={[
        [
          ...(database.host === null ? [] : [item('connection', 'Connection String', KeyRound)]),
          ...(isManaged ? [item('metrics', 'Metrics', ChartLine), item('backups', 'Backups', Archive)] : []),
        ],
        [
          ...act('start', 'Start', Play),
          ...act('rotate', 'Rotate password', KeyRound),
          ...act('readdress', 'Change address', PenLine),
          ...act('stop', 'Stop', Square),
        ],
        dangerous(act('delete', isManaged ? 'Delete' : 'Forget address', Trash2)),
      ]}
    >
      <Icon of={Ellipsis} />
    </Menu>
  );
}
