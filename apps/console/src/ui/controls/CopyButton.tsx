import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Icon } from '../theme/Icon.tsx';
import { Button } from './Button.tsx';
import { copyText } from './copy-text.ts';
import { IconButton } from './IconButton.tsx';

type Props = {
  /** What goes to the clipboard. */
  text: string;
  /** What it is, for the button's name: 'Copy deployment id'. With a word it must contain that: people say what they see. */
  label: string;
  /** With its word beside the icon instead of the icon alone. */
  word?: string;
  onCopied?: () => void;
};

/** Copies, also where the page is not a secure context (plain HTTP in a local network), and says whether it worked. */
export function CopyButton({ text, label, word, onCopied }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    const worked = await copyText(text);
    setState(worked ? 'copied' : 'failed');
    if (worked) onCopied?.();
  };
  const says = { idle: label, copied: 'Copied', failed: 'Copying failed: select the text and copy it' }[state];
  const shownWord = { idle: word, copied: 'Copied', failed: 'Copying failed' }[state];
  const icon = <Icon of={state === 'copied' ? Check : Copy} />;
  return (
    <>
      {word === undefined ? (
        <IconButton label={says} icon={icon} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} onClick={() => void copy()} aria-label={says}>
          {shownWord}
        </Button>
      )}
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : says}
      </span>
    </>
  );
}
