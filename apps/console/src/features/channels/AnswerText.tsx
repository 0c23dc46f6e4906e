/** How the answer of the other side begins. A stranger wrote it: it is text, keeps to its own line and its own direction of writing. */
export function AnswerText({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p className="mt-1 text-muted">
      Answer: <bdi className="font-mono text-mono break-all text-text">{text}</bdi>
    </p>
  );
}
