import type { ControlResource } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { TextLink } from '../../../ui/controls/TextLink.tsx';

const ofConsole = /^\/[a-z][\w\-./?=&%]*$/;

/** Names of the tabs that remedies lead to. Other paths are named after their page. */
const tabNames: Readonly<Record<string, string>> = {
  '/governance?tab=compliance': 'Compliance Status',
  '/governance?tab=data-governance': 'Data Governance',
  '/governance?tab=policies': 'Policies',
  '/settings?tab=alerts': 'Alerts',
  '/settings?tab=data-protection': 'Data protection',
};

/** The remedy, with a link to where it is done. */
export function Fix({ fix }: { fix: ControlResource['fix'] }) {
  const { history, getMatchedRoutes } = useRouter();
  if (fix === null) return null;
  const { text, path } = fix;
  const describeLink = (href: string) => {
    if (href.startsWith('/docs')) return 'the guide';
    const [tab = href] = href.split('&');
    const [pathname = href] = href.split('?');
    return tabNames[tab] ?? getMatchedRoutes(pathname)[2]?.options.staticData?.title ?? 'the page';
  };
  const follow = (event: MouseEvent) => {
    // Leave to the browser: links to the guide, which is not part of the console, and clicks with a modifier key.
    if (path === null || path.startsWith('/docs') || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(path);
  };
  return (
    <p className="text-sm">
      <span className="font-semibold">What to do:</span> <span className="wrap-anywhere">{shownText(text, 500)}</span>{' '}
      {path !== null && ofConsole.test(path) ? (
        <TextLink href={path} onClick={follow}>
          Open {describeLink(path)}
        </TextLink>
      ) : null}
    </p>
  );
}
