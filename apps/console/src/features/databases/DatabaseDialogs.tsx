import type { Database } from '@paddock/contract';
import { ChangeAddressDialog } from './byo/ChangeAddressDialog.tsx';
import { ConnectionDialog } from './connection/ConnectionDialog.tsx';
import { RotateDialog } from './connection/RotateDialog.tsx';
import { DeleteDatabaseDialog } from './DeleteDatabaseDialog.tsx';
import { StopDialog } from './StopDialog.tsx';
import type { Asked } from './use-pending-actions.ts';

interface Props {
  asked: Asked['wish'];
  database: Database;
  onWish: (wish: Asked['wish']) => void;
  onClose: () => void;
}

/**
 * The dialog of the requested action. All dialogs share one chunk, since each is small. After a rotation the new connection string is
 * shown, masked.
 */
export function DatabaseDialogs({ asked, database, onWish, onClose }: Props) {
  if (asked === 'rotate') return <RotateDialog database={database} onClose={onClose} onRotated={() => onWish('connection')} />;
  if (asked === 'stop') return <StopDialog database={database} onClose={onClose} />;
  if (asked === 'delete') return <DeleteDatabaseDialog database={database} onClose={onClose} />;
  if (asked === 'readdress') return <ChangeAddressDialog database={database} onClose={onClose} />;
  return (
    <ConnectionDialog database={database} onRotate={() => onWish('rotate')} onChangeAddress={() => onWish('readdress')} onClose={onClose} />
  );
}
