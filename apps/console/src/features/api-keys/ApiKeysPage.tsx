import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { KeysPanel } from './KeysPanel.tsx';

export function ApiKeysPage() {
  const { action } = useSearch({ from: '/shell/api-keys' });
  const navigate = useNavigate({ from: '/api-keys' });
  return (
    <>
      <PageHeader title="API Keys" />
      <KeysPanel
        creating={action === 'new'}
        onCreating={(open) => void navigate({ search: open ? { action: 'new' } : {}, replace: !open })}
      />
    </>
  );
}
