import { useNavigate } from '@tanstack/react-router';
import { useCommands } from '../../commands/command-registry.ts';
import { setThemeChoice, themeChoices } from '../../ui/preferences/theme-choice.ts';
import { setZone } from '../../ui/preferences/zone.ts';
import { pages, tabPages } from './pages.ts';

/** The commands of every page, in the palette and by shortcut. */
export function useShellCommands({ openShortcuts, logout }: { openShortcuts: () => void; logout: () => void }) {
  const navigate = useNavigate();
  useCommands([
    ...pages.map(({ to, label, keys }) => ({ id: `go:${to}`, group: 'Go to', label, keys, run: () => void navigate({ to }) })),
    ...tabPages.map(({ label, page, tab }) => ({
      id: `go:${page}:${tab}`,
      group: 'Go to',
      label,
      isSearchOnly: true,
      run: () => void navigate({ to: page, search: { tab } }),
    })),
    ...themeChoices.map((choice) => ({ id: `theme:${choice}`, group: 'Theme', label: `Use ${choice}`, run: () => setThemeChoice(choice) })),
    { id: 'zone:local', group: 'Times', label: 'Show local time', run: () => setZone('local') },
    { id: 'zone:utc', group: 'Times', label: 'Show UTC', run: () => setZone('utc') },
    {
      id: 'do:deploy',
      group: 'Actions',
      label: 'Deploy agent',
      keys: 'd',
      run: () => void navigate({ to: '/deployments', search: { action: 'deploy' } }),
    },
    {
      id: 'do:new-project',
      group: 'Actions',
      label: 'New project',
      keys: 'n',
      run: () => void navigate({ to: '/projects', search: { action: 'new' } }),
    },
    {
      id: 'do:connect-database',
      group: 'Actions',
      label: 'Connect your own database',
      run: () => void navigate({ to: '/databases', search: { action: 'connect' } }),
    },
    {
      id: 'do:new-key',
      group: 'Actions',
      label: 'Create API key',
      run: () => void navigate({ to: '/api-keys', search: { action: 'new' } }),
    },
    {
      id: 'do:new-channel',
      group: 'Actions',
      label: 'New channel',
      run: () => void navigate({ to: '/settings', search: { tab: 'alerts', action: 'new' } }),
    },
    { id: 'theme:toggle', group: 'Theme', label: 'Toggle theme', keys: 't', run: toggleTheme },
    { id: 'help:shortcuts', group: 'Help', label: 'Keyboard shortcuts', run: openShortcuts },
    { id: 'help:cli', group: 'Help', label: 'Install the CLI', run: () => window.open('/docs/cli', '_blank', 'noreferrer') },
    { id: 'help:docs', group: 'Help', label: 'Documentation', run: () => window.open('/docs/guides', '_blank', 'noreferrer') },
    { id: 'session:logout', group: 'Session', label: 'Logout', run: logout },
  ]);
}

/** From light to dark, or from dark to light. */
const toggleTheme = () => {
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  setThemeChoice(isDark ? 'light' : 'dark');
};
