import { useLayoutEffect, useRef } from 'react';

/** Distance in pixels from the end that still counts as the end. */
const nearEnd = 40;

/** An agent's response as plain text. It follows added text, unless the reader has scrolled back. */
export function AnswerText({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLPreElement>(null);
  const before = useRef('');
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    const isAddition = before.current !== '' && text.startsWith(before.current);
    // Text that arrives all at once, or is replaced, is shown from its beginning.
    if (element && isAddition && isAtEnd.current) element.scrollTop = element.scrollHeight;
    before.current = text;
  }, [text]);
  return (
    <pre
      ref={box}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-96 min-w-0 overflow-auto rounded-control border border-border bg-sunken px-3 py-2 font-mono text-mono wrap-anywhere whitespace-pre-wrap"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
    >
      {text}
    </pre>
  );
}
