import { type ComponentProps, type KeyboardEvent, type ReactNode, useId } from 'react';
import { Check, CircleX, TriangleAlert } from 'lucide-react';

export const inputClass = 'in';

export interface FieldControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: true | undefined;
}

export interface FieldProps {
  label: string;
  hint?: string | undefined;
  help?: ReactNode;
  warning?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  children: (props: FieldControlProps) => ReactNode;
}

export function Field({ label, hint, help, warning, error, required, children }: FieldProps) {
  const id = useId();
  const parts = [error ? `${id}-error` : '', warning ? `${id}-warning` : '', help ? `${id}-help` : ''].filter(Boolean);
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {hint && <span className="dim font-normal"> {hint}</span>}
      </label>
      {children({
        id,
        'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
        'aria-invalid': error ? true : undefined,
        required: required || undefined,
      })}
      {error && (
        <Message tone="alarm" id={`${id}-error`}>
          {error}
        </Message>
      )}
      {warning && (
        <Message tone="open" id={`${id}-warning`}>
          {warning}
        </Message>
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

const ICONS = { sub: Check, open: TriangleAlert, alarm: CircleX };

export function Message({ tone, id, children }: { tone: keyof typeof ICONS; id?: string; children: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <p className={tone === 'sub' ? 'msg sub' : `msg msg-${tone}`} id={id}>
      <Icon className="icon-s" aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** For a textarea without line breaks, such as an address: Enter submits the form. */
export function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

type InputFieldProps = Pick<FieldProps, 'label' | 'hint' | 'help' | 'error'> & ComponentProps<'input'>;

interface TextFieldProps extends Omit<InputFieldProps, 'value' | 'onChange'> {
  text: string;
  onText: (text: string) => void;
}

interface FindFieldProps {
  hint: string;
  text: string;
  onText: (text: string) => void;
  found: string;
}

/** The search of a list, in the bar above it. */
export function FindField({ hint, text, onText, found }: FindFieldProps) {
  return (
    <>
      <label className="find-field">
        Find <span className="vh">{hint}</span>
        <input
          type="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={hint.replace(/^\(|\)$/g, '')}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      </label>
      <output className="small sub">{text.trim() !== '' && found}</output>
    </>
  );
}

/** An uncontrolled text field: the form reads it on submit. */
export function InputField({ label, hint, help, error, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} help={help} error={error}>
      {(control) => <input className={inputClass} autoComplete="off" {...control} {...input} />}
    </Field>
  );
}

/** A controlled text field, for filters and searches. */
export function TextField({ text, onText, ...field }: TextFieldProps) {
  return <InputField autoCapitalize="off" {...field} value={text} onChange={({ target }) => onText(target.value)} />;
}
