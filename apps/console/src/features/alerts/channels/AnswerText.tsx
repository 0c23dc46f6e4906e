/** The beginning of the receiver's response. It is untrusted: shown as plain text, on its own line, with its text direction isolated. */
export function AnswerText({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <p className="mt-1 text-muted">
      Answer: <bdi className="font-mono text-mono break-all text-text">{text}</bdi>
    </p>
  );
}
