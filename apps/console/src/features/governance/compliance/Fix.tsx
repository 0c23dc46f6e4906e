import type { ControlResource } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { TextLink } from '../../../ui/controls/TextLink.tsx';

const ofConsole = /^\/[a-z][\w\-./?=&%]*$/;

/** The remedy, with a link to where it is done. */
export function Fix({ fix }: { fix: ControlResource['fix'] }) {
  const { history } = useRouter();
  if (fix === null) return null;
  const { text, path } = fix;
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
          Go there
        </TextLink>
      ) : null}
    </p>
  );
}
