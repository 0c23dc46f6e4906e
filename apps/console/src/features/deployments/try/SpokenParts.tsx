import type { ProtocolField } from '@paddock/contract';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import type { Spoken, Turn } from './speak.ts';

/** The agent's description of itself: its name, and the skills of its agent card. */
export function About({ protocol: { kind, name, version, description, items } }: { protocol: Spoken }) {
  return (
    <>
      {name || description ? (
        <p className="break-words text-muted">
          <strong>{[name, kind === 'openai' ? '' : version].filter(Boolean).join(', ')}</strong> {description}
        </p>
      ) : null}
      {kind === 'a2a' ? (
        <ul aria-label="Skills" className="list-disc pl-5 break-words">
          {items.map((skill, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
            <li key={index}>
              {skill.name} <span className="text-muted">{skill.description}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

export function Chat({ turns }: { turns: readonly Turn[] }) {
  if (turns.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrollable by keyboard
    <ol aria-label="Conversation so far" className="flex max-h-96 flex-col gap-1 overflow-auto" tabIndex={0}>
      {turns.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said stays in its place
        <li key={index} className="break-words whitespace-pre-wrap">
          <strong>{role === 'user' ? 'You' : 'Agent'}:</strong> {content}
        </li>
      ))}
    </ol>
  );
}

type Props = { field: ProtocolField; value: string; onValue: (value: string) => void };

/** Field for an argument of a tool, or for a message. */
export function ValueField({ field: { name, type, required, description, choices }, value, onValue }: Props) {
  const options = type === 'boolean' ? ['true', 'false'] : choices;
  const control = { value, onChange: ({ target }: { target: { value: string } }) => onValue(target.value) };
  return (
    <Field label={name} hint={description} required={required}>
      {options.length > 0 ? (
        <Select {...control}>
          <option value="">{required ? 'Choose' : 'Not set'}</option>
          {options.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      ) : (
        <Textarea rows={type === 'string' ? 2 : 1} {...control} />
      )}
    </Field>
  );
}
