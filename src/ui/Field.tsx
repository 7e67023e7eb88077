import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useId } from 'react';
import { CircleX, TriangleAlert } from 'lucide-react';

export const inputClass = 'in';

export interface FieldControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: true | undefined;
}

export interface FieldProps {
  label: string;
  /** Said after the label in lighter ink, such as "(optional)". */
  hint?: string | undefined;
  help?: ReactNode;
  /** A warning that does not stop anything. */
  warning?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  children: (props: FieldControlProps) => ReactNode;
}

/** Label above, message and help below, all tied to the control that the child function draws. */
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
        <p className="msg msg-alarm" id={`${id}-error`}>
          <CircleX className="icon-s" aria-hidden />
          <span>{error}</span>
        </p>
      )}
      {warning && (
        <p className="msg msg-open" id={`${id}-warning`}>
          <TriangleAlert className="icon-s" aria-hidden />
          <span>{warning}</span>
        </p>
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** For an area whose text has no line breaks, such as an address: Enter does what it does in the other fields. */
export function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

interface TextFieldProps
  extends
    Pick<FieldProps, 'label' | 'hint' | 'error'>,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'spellCheck'> {
  text: string;
  onText: (text: string) => void;
}

interface FindFieldProps {
  /** In which words: "(name, chain or address)". */
  hint: string;
  text: string;
  onText: (text: string) => void;
  /** "3 found" */
  found: string;
}

/** Finds rows of a table that is loaded already, and says how many once something is typed. */
export function FindField({ hint, text, onText, found }: FindFieldProps) {
  return (
    <div className="[&_.in]:max-w-96">
      <TextField label="Find" hint={hint} type="search" spellCheck={false} text={text} onText={onText} />
      <output className="small sub">{text.trim() !== '' && found}</output>
    </div>
  );
}

/** A line of text that a page keeps itself: what filters and searches what is already there. */
export function TextField({ label, hint, error, text, onText, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          {...input}
          className={inputClass}
          value={text}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}
