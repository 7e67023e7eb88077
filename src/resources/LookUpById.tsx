import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { DEPOSIT_ID_PREFIX } from '#src/api/contract.ts';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import './look-up.css';

const LONGEST = 300;

/** Goes to the withdrawal with an id; a deposit's id leads to the deposit. */
export function LookUpById() {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const lookUp = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    const fault = faultOf(id);
    setProblem(fault);
    if (fault !== undefined) return;
    void navigate(id.startsWith(DEPOSIT_ID_PREFIX) ? paths.deposit(id) : paths.withdrawal(id));
  };
  return (
    <form className="look-up" noValidate onSubmit={lookUp}>
      <Field label="Withdrawal ID" error={problem}>
        {(control) => (
          <input
            {...control}
            className={`${inputClass} in-mono`}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit">Find</Button>
    </form>
  );
}

function faultOf(id: string): string | undefined {
  if (id === '') return 'Enter an ID.';
  if (id.length > LONGEST) return `Use ${LONGEST} characters or fewer.`;
  if (/\s/.test(id)) return 'Remove the spaces.';
  return visible(id) === id ? undefined : 'It contains an invisible character. Copy the ID again.';
}
