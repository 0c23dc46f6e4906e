import { Drawer } from '../../ui/overlays/Drawer.tsx';
import { Sidebar } from './Sidebar.tsx';

type Props = { open: boolean; onClose: () => void; person: { name: string; email: string }; onLogout: () => void };

/** The sidebar below 900 px. */
export function NavigationSheet({ open, onClose, person, onLogout }: Props) {
  return (
    <Drawer open={open} onClose={onClose} title="Paddock" side="left">
      <div className="-mx-4 -mb-4 h-[calc(100%+1rem)]">
        <Sidebar person={person} showKeys={false} onLogout={onLogout} onNavigate={onClose} />
      </div>
    </Drawer>
  );
}
