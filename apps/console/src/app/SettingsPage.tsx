import { ProfileTab } from '../features/accounts/profile/ProfileTab.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';

export const SettingsPage = () => (
  <>
    <PageHeader title="Settings" />
    <ProfileTab />
  </>
);
