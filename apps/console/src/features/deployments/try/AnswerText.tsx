import { useLayoutEffect, useRef } from 'react';

/** From its end, so near counts as at the end. */
const nearEnd = 40;

/** What an agent answered, as text and nothing else. It follows what comes, unless the reader has scrolled back. */
export function AnswerText({ text, isUnderWay }: { text: string; isUnderWay: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isUnderWay && follows.current) element.scrollTop = element.scrollHeight;
  });
  return (
    <pre
      ref={box}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
      tabIndex={0}
      role="region"
      aria-label="Body of the answer"
      className="max-h-96 min-w-0 overflow-auto rounded-control border border-border bg-sunken px-3 py-2 font-mono text-mono wrap-anywhere whitespace-pre-wrap"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
    >
      {text}
    </pre>
  );
}
