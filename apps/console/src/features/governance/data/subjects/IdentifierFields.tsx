import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { Input } from '../../../../ui/controls/Input.tsx';

const most = 5;

interface Props {
  values: readonly string[];
  onChange: (values: string[]) => void;
  errorOf: (at: number) => string | undefined;
}

/** Up to five identifiers of a person. */
export const IdentifierFields = ({ values, onChange, errorOf }: Props) => (
  <>
    {values.map((text, at) => (
      <Field
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added, at the end
        key={at}
        label={`Identifier ${at + 1}`}
        required={at === 0}
        error={errorOf(at)}
        hint={
          at === 0
            ? 'An e-mail address, a phone or customer number, as it would appear in text. Upper and lower case are treated alike.'
            : undefined
        }
      >
        <Input
          value={text}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange(values.map((one, other) => (other === at ? target.value : one)))}
        />
      </Field>
    ))}
    {values.length < most ? (
      <div>
        <Button onClick={() => onChange([...values, ''])}>Add identifier</Button>
      </div>
    ) : null}
  </>
);
