import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { teamItemQuery, useTeamChange } from '#src/api/team.ts';
import { MovedOn } from '#src/api/teamItems.ts';
import { type PaymentNote as Note, type Subject, subjectId, type TeamItem } from '#src/api/teamContract.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { isObject } from '#src/lib/answers.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { visible } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { TeamProblem } from '#src/list/TeamProblem.tsx';

const LOOK_MS = 15_000;

interface PaymentNoteProps {
  subject: Subject;
  /** What it was before it was a payment: what was written on it then holds until something is written here. */
  from?: Subject | null;
}

/** What the team wrote on a payment. */
export function PaymentNote({ subject, from = null }: PaymentNoteProps) {
  const session = useSession();
  const { account } = session;
  const options = teamItemQuery(account, 'notes', subjectId(subject));
  const query = useQuery(options);
  usePolledQuery(options.queryKey, () => LOOK_MS);
  const before = useQuery({
    ...teamItemQuery(account, 'notes', subjectId(from ?? subject)),
    enabled: from !== null && query.data === null,
  });
  const [editing, setEditing] = useState(false);
  const { data: own, error } = query;
  const old = own === null && from !== null ? before.data : null;
  const written = own ?? old;
  const item = written && written.value.reference + written.value.note === '' ? null : written;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label="Reference and note">
      <h3>Reference and note</h3>
      {error && <p className="small msg msg-open">It couldn’t be loaded: {describeError(error).message}</p>}
      {editing && item !== undefined ? (
        <NoteForm
          account={account}
          subject={subject}
          item={item}
          revision={own?.revision ?? 0}
          inherits={from !== null}
          onEnd={() => setEditing(false)}
        />
      ) : (
        <>
          {item && <Written item={item} />}
          {item !== undefined && !session.read_only && (
            <p>
              <Button size="small" icon={<Pencil className="icon-s" aria-hidden />} onClick={() => setEditing(true)}>
                {item ? 'Edit' : 'Add a reference or note'}
              </Button>
            </p>
          )}
          {item === null && session.read_only && <p className="small sub">None.</p>}
        </>
      )}
    </section>
  );
}

function Written({ item: { value, who, updated_at: at } }: { item: TeamItem<Note> }) {
  return (
    <>
      {[value.reference, value.note].map(
        (text, index) =>
          text !== '' && (
            <p key={index === 0 ? 'reference' : 'note'}>
              <UntrustedText value={text} max={600} />
            </p>
          ),
      )}
      <p className="small sub">
        Written{byWhom(who)} <Time unix={at} />
      </p>
    </>
  );
}

interface NoteFormProps {
  account: string;
  subject: Subject;
  item: TeamItem<Note> | null;
  /** Of what is written on this subject itself; 0: nothing is. */
  revision: number;
  /** Nothing written is something written, too: it hides what was written before. */
  inherits: boolean;
  onEnd: () => void;
}

function NoteForm({ account, subject, item, revision, inherits, onEnd }: NoteFormProps) {
  const [reference, setReference] = useState(item?.value.reference ?? '');
  const [note, setNote] = useState(item?.value.note ?? '');
  // What the person saw: a colleague may change it while they type.
  const [seen, setSeen] = useState(revision);
  const { mutateAsync, error, isPending } = useTeamChange(account, 'notes');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const written = { ...subject, reference: reference.trim(), note: note.trim() };
    const isEmpty = written.reference === '' && written.note === '';
    if (isEmpty && seen === 0 && item === null) return onEnd();
    try {
      await mutateAsync({ id: subjectId(subject), value: isEmpty && !inherits ? null : written, revision: seen });
      onEnd();
    } catch (failure) {
      // Told of their colleague's version, they may still save their own.
      if (failure instanceof MovedOn) setSeen(failure.item?.revision ?? 0);
    }
  };
  return (
    <form className="form" noValidate onSubmit={(event) => void save(event)}>
      <Field label="Reference" help="Such as an invoice or an order.">
        {(control) => (
          <input
            {...control}
            className={inputClass}
            value={reference}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => setReference(target.value)}
          />
        )}
      </Field>
      <Field label="Note" help="For your team. The provider doesn’t see it.">
        {(control) => (
          <textarea
            {...control}
            className={inputClass}
            rows={3}
            value={note}
            maxLength={4_000}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      {error && <TeamProblem error={error} heading="The note was not saved" theirs={noteIn} />}
      <div className="acts-row">
        <Button type="submit" variant="primary" size="small">
          Save
        </Button>
        <Button variant="quiet" size="small" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function noteIn(value: unknown): string {
  if (!isObject(value)) return '';
  return visible(
    [value['reference'], value['note']].filter((text) => typeof text === 'string' && text !== '').join(' · '),
  );
}
