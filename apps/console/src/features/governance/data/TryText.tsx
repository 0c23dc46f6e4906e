import { governanceLimits } from '@paddock/contract/limits';
import { plural } from '@paddock/contract/plural';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../../api/api.ts';
import { failureText } from '../../../api/failure.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { splitAtFindings } from './marked-text.ts';

/** Shows what the detector finds in a typed text. */
export function TryText() {
  const [text, setText] = useState('');
  const scan = useAction({
    mutationFn: async (given: string) => ({ given, ...(await api.governance.scan({ text: given })) }),
    // The text may be private: it is dropped from memory with the page.
    gcTime: 0,
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text !== '') scan.mutate(text);
  };
  return (
    <Card title="Try a text">
      <form onSubmit={onSubmit} className="flex flex-col gap-3">
        <Field
          label="Text to scan"
          hint={`Nothing is stored, neither the text nor its counts. At most ${governanceLimits.scanCharacters.toLocaleString('en')} characters.`}
        >
          <Textarea
            rows={4}
            maxLength={governanceLimits.scanCharacters}
            value={text}
            spellCheck={false}
            autoComplete="off"
            placeholder="Paste a prompt, an answer or a log line"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div>
          <Button type="submit" busy={scan.isPending} disabled={text === ''}>
            Scan text
          </Button>
        </div>
        <FormError>{failureText(scan.error, 'The text could not be scanned.')}</FormError>
      </form>
      <div role="status">{scan.data ? <Found {...scan.data} /> : null}</div>
    </Card>
  );
}

type Scanned = { given: string; redacted: string } & Awaited<ReturnType<typeof api.governance.scan>>;

function Found({ given, findings, redacted }: Scanned) {
  if (findings.length === 0) return <p className="mt-3">No personal data found.</p>;
  const box = 'max-h-72 overflow-y-auto border border-border bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap';
  return (
    <div className="mt-3 grid gap-4 lg:grid-cols-2">
      <section aria-label="Found in the text" className="min-w-0">
        <h3 className="flex min-h-8 items-center text-sm font-semibold">{plural(findings.length, 'value')} found</h3>
        <p className={box}>
          {splitAtFindings(given, findings).map(({ text, type }, index) =>
            type === null ? (
              <span key={index}>{text}</span>
            ) : (
              <mark key={index} className="rounded-control bg-warning-bg px-0.5 text-warning-fg">
                {text}
                <span className="ml-1 text-xs font-semibold">{type}</span>
              </mark>
            ),
          )}
        </p>
      </section>
      <section aria-label="Redacted text" className="min-w-0">
        <div className="flex min-h-8 items-center gap-2">
          <h3 className="text-sm font-semibold">As stored by default</h3>
          <CopyButton text={redacted} label="Copy redacted text" />
        </div>
        <p className={box}>{redacted}</p>
      </section>
    </div>
  );
}
