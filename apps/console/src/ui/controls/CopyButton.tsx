import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Icon } from '../theme/Icon.tsx';
import { Button } from './Button.tsx';
import { copyText } from './copy-text.ts';
import { IconButton } from './IconButton.tsx';

type Props = {
  /** The text to copy. */
  text: string;
  /** The button's accessible name: 'Copy deployment id'. It must contain `word`, if given, since voice control uses the visible text. */
  label: string;
  /** A visible label beside the icon. */
  word?: string;
  onCopied?: () => void;
};

/** Copies a text and shows whether that worked. Also works without a secure context (plain HTTP in a local network). */
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
