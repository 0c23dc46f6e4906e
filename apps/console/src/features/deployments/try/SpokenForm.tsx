import { useState } from 'react';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { SendButtons } from './SendButtons.tsx';
import { About, Chat, ValueField } from './SpokenParts.tsx';
import { fieldsOf, parseArguments, readResponseText, type Spoken, spokenWish, type Turn } from './speak.ts';
import { TryForm } from './TryForm.tsx';
import type { Progress, Trying } from './use-try.ts';

type Props = {
  protocol: Spoken;
  /** Typed values of all forms together, so that switching forms loses nothing. */
  values: Record<string, string>;
  onValue: (key: string, value: string) => void;
  turns: readonly Turn[];
  /** The text of the response shown below. */
  shown: string | undefined;
  onTurns: (next: readonly Turn[]) => void;
  trying: Trying;
};

/** The form of an agent's protocol: a chat, a message, or the arguments of a tool. */
export function SpokenForm({ protocol, values, onValue, turns, shown, onTurns, trying: { send, cancel, isUnderWay } }: Props) {
  const { kind, items, more } = protocol;
  const [problem, setProblem] = useState<string>();
  const item = items.find((each) => each.name === values[kind]) ?? items[0];
  const fields = fieldsOf(protocol, item);
  const keyOf = (field: string) => `${kind} ${item?.name} ${field}`;
  const valueOf = (field: string) => values[keyOf(field)] ?? '';
  const json = values[keyOf('')] ?? item?.example ?? '{}';

  const submit = () => {
    const read = fields ? parseArguments(fields, valueOf) : jsonArguments(json);
    const text = valueOf('Message');
    const wrong = 'problem' in read ? read.problem : undefined;
    setProblem(kind !== 'mcp' && text === '' ? 'Enter a message.' : wrong);
    if ('problem' in read || (kind !== 'mcp' && text === '')) return;
    const wish = spokenWish(protocol, item, { text, args: read.args, turns });
    const onSuccess = ({ body, end }: Progress) => {
      const said = kind === 'openai' && end?.outcome === 'complete' ? readResponseText(kind, body?.text ?? '') : undefined;
      if (!said) return;
      onTurns([...turns, { role: 'user', content: text }, { role: 'assistant', content: said }]);
      onValue(keyOf('Message'), '');
    };
    send({ wish, kind }, { onSuccess });
  };
  return (
    <TryForm label={`Request as ${kind}`} onSubmit={submit} isUnderWay={isUnderWay}>
      <About protocol={protocol} />
      {kind !== 'a2a' && item ? (
        <Field label={kind === 'mcp' ? 'Tool' : 'Model'} hint={item.description}>
          <Select value={item.name} onChange={({ target }) => onValue(kind, target.value)}>
            {items.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </Select>
        </Field>
      ) : null}
      {more > 0 ? <p className="text-sm text-muted">{more} more are not listed.</p> : null}
      {kind === 'openai' ? <Chat turns={turns.at(-1)?.content === shown ? turns.slice(0, -1) : turns} /> : null}
      {fields ? (
        fields.map((field) => (
          <ValueField key={field.name} field={field} value={valueOf(field.name)} onValue={(value) => onValue(keyOf(field.name), value)} />
        ))
      ) : (
        <Field label="Arguments as JSON">
          <Textarea mono rows={8} spellCheck={false} value={json} onChange={({ target }) => onValue(keyOf(''), target.value)} />
        </Field>
      )}
      <FormError>{problem}</FormError>
      <SendButtons busy={isUnderWay} cancel={cancel} />
    </TryForm>
  );
}

function jsonArguments(text: string): ReturnType<typeof parseArguments> {
  try {
    const args: unknown = JSON.parse(text);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return { args: args as Record<string, unknown> };
  } catch {
    // reported below
  }
  return { problem: 'The arguments must be a JSON object.' };
}
