import { useLayoutEffect, useRef } from 'react';

/** So near to its end counts as at the end. */
const nearEnd = 40;

/** What an agent answered, as text and nothing else. It follows what is added, unless the reader has scrolled back. */
export function AnswerText({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLPreElement>(null);
  const before = useRef('');
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    const isAddition = before.current !== '' && text.startsWith(before.current);
    // Of what comes all at once, or is written anew, the beginning is wanted.
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
