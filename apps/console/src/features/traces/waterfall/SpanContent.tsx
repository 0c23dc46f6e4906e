import { pluralWord } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import type { Content } from './content-text.ts';

/** A long value, such as a prompt or an answer, expanded on request: a conversation by message, anything else as text. */
export function SpanContent({ content: { name, value, text, messages, isCut } }: { content: Content }) {
  const label = shownText(name);
  const box = 'max-h-96 overflow-y-auto border-t border-border bg-sunken px-3 py-2';
  return (
    <details className="mt-2 border border-border">
      <summary className="px-2 py-1 pointer-coarse:py-3">
        <span className="font-mono text-mono wrap-anywhere">{label}</span>{' '}
        <span className="text-sm text-muted">{sizeText(value.length, messages?.length)}</span>
      </summary>
      <div className="flex justify-end px-1">
        <CopyButton text={value} label={`Copy ${label}`} />
      </div>
      {messages ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
        <div tabIndex={0} role="region" aria-label={label} className={`${box} flex flex-col gap-3`}>
          {messages.map((message, index) => (
            <div key={index}>
              <p className="text-sm font-semibold text-muted">{message.role}</p>
              <p className="wrap-anywhere whitespace-pre-wrap">{message.text}</p>
            </div>
          ))}
        </div>
      ) : (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
          tabIndex={0}
          role="region"
          aria-label={label}
          className={`${box} font-mono text-mono wrap-anywhere whitespace-pre-wrap`}
        >
          {text}
        </pre>
      )}
      {isCut ? <p className="px-3 py-1 text-sm text-muted">The rest is not shown. Copy to get the full text.</p> : null}
    </details>
  );
}

function sizeText(letters: number, messages: number | undefined): string {
  if (messages !== undefined) return `${messages} ${pluralWord(messages, 'message')}`;
  return `${letters.toLocaleString('en')} characters`;
}
