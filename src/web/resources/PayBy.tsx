import { type FormEvent, useId, useState } from 'react';
import { byWhom } from '#src/shared/author.ts';
import { isDay, isDue } from '#src/shared/due/dueDates.ts';
import { dayAndDistance } from '#src/shared/due/dueWords.ts';
import { usePayBy } from '#src/web/api/payBy.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { EditConflictError, useTeamChange } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { inputClass, Message } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { useToday } from '#src/web/ui/useToday.ts';

/** A pay-by date with the number of days until then. Highlighted if due. */
export function PayByDay({ date }: { date: string }) {
  const today = useToday();
  return <span className={isDue(date, today) ? 'text-open' : undefined}>{dayAndDistance(date, today)}</span>;
}

/** In a table: the pay-by date of a payment or a batch that waits for approval. */
export function PayByCell({ id }: { id: string }) {
  const date = usePayBy().dateOf(id);
  return date === null ? <span className="dim">—</span> : <PayByDay date={date} />;
}

/** Shows and edits by when a payment or a batch should be paid. `id`: the operation's key or the batch's id. */
export function PayBy({ id }: { id: string }) {
  const { query, itemOf } = usePayBy();
  const refusal = useRefusal('set-pay-by');
  const [isOpen, setOpen] = useState(false);
  // When the form closes, the focus goes back to the button that opened it.
  const [wasOpen, setWasOpen] = useState(false);
  // The date and revision when the form opened, so that saving doesn't overwrite a colleague's later change.
  const [base, setBase] = useState<{ date: string | null; revision: number }>({ date: null, revision: 0 });
  const change = useTeamChange('pay-by');
  if (query.data === undefined) return <span className="sub">{query.error ? 'Not loaded' : 'Loading…'}</span>;
  const item = itemOf(id);
  const open = (next: boolean) => {
    setOpen(next);
    setWasOpen(true);
    if (next) setBase({ date: item?.value.date ?? null, revision: item?.revision ?? 0 });
  };
  const save = (value: { date: string } | null) =>
    change.mutate(
      { id, value, revision: base.revision },
      { onSuccess: () => open(false), onError: (error) => error instanceof EditConflictError && open(false) },
    );
  return (
    <div className="grid gap-2">
      {isOpen ? (
        <PayByForm date={base.date} isSaving={change.isPending} onSave={save} onClose={() => open(false)} />
      ) : (
        <span className="acts-row">
          <span>
            {item ? <PayByDay date={item.value.date} /> : <span className="sub">No date</span>}
            {item?.who != null && <span className="small sub">{byWhom(item)}</span>}
          </span>
          <Button size="small" disabledReason={refusal} ref={wasOpen ? focusOnMount : null} onClick={() => open(true)}>
            {item ? 'Change' : 'Set a date'}
            <span className="vh"> (pay by)</span>
          </Button>
        </span>
      )}
      {change.error && <TeamProblem error={change.error} heading="The pay-by date was not saved" theirs={['date']} />}
    </div>
  );
}

interface PayByFormProps {
  date: string | null;
  isSaving: boolean;
  /** null: remove it. */
  onSave: (value: { date: string } | null) => void;
  onClose: () => void;
}

function PayByForm({ date, isSaving, onSave, onClose }: PayByFormProps) {
  const id = useId();
  const today = useToday();
  const [typed, setTyped] = useState(date ?? today);
  const isValid = isDay(typed);
  const saving = isSaving ? 'Saving…' : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) onSave({ date: typed });
  };
  return (
    <form className="grid gap-2" noValidate onSubmit={submit}>
      <span className="acts-row">
        <input
          ref={focusOnMount}
          type="date"
          className={`${inputClass} max-w-48`}
          aria-label="Pay by"
          aria-invalid={isValid ? undefined : true}
          aria-describedby={id}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" variant="primary" size="small" disabledReason={saving} reasonHidden>
          Save
        </Button>
        {date !== null && (
          <Button size="small" disabledReason={saving} reasonHidden onClick={() => onSave(null)}>
            Remove
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </span>
      <div id={id}>
        {isValid ? (
          <span className="small sub">{dayAndDistance(typed, today)}</span>
        ) : (
          <Message tone="alarm">Enter a day.</Message>
        )}
      </div>
    </form>
  );
}
