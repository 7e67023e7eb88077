import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { describeError } from '#src/web/api/errors.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { teamItemQuery, useTeamChange, EditConflictError } from '#src/web/api/team.ts';
import { byWhom } from '#src/shared/author.ts';
import { type PaymentNote as Note, type Subject, subjectId, type TeamItem } from '#src/shared/contract/teamContract.ts';
import { textOrNull } from '#src/shared/text.ts';
import { draftName, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Time } from '#src/web/ui/Time.tsx';
import { ChangedMeanwhile, TeamProblem } from '#src/web/list/TeamProblem.tsx';

const LOOK_MS = 15_000;

export type NoteFields = Pick<Note, 'reference' | 'note' | 'customer' | 'ticket'>;

/** The fields of a note, in display order; `inCase`: only in a case file. */
export const NOTE_FIELDS = [
  { name: 'customer', label: 'Customer says', most: 4_000, rows: 3, inCase: true, help: undefined },
  { name: 'ticket', label: 'Ticket', most: 200, rows: 1, inCase: true, help: undefined },
  {
    name: 'reference',
    label: 'Reference',
    most: 200,
    rows: 1,
    inCase: false,
    help: 'E.g. an invoice or order number.',
  },
  {
    name: 'note',
    label: 'Note',
    most: 4_000,
    rows: 3,
    inCase: false,
    help: 'For your team. The provider doesn’t see it.',
  },
] as const;

const fieldsOf = (inCase: boolean) => NOTE_FIELDS.filter((field) => inCase || !field.inCase);

function isEmptyNote(value: NoteFields): boolean {
  return NOTE_FIELDS.every(({ name }) => (value[name] ?? '') === '');
}

/** The team's note on a payment. `from`: the operation that created it, whose note applies until the payment has its own. */
export function useNote(subject: Subject, from: Subject | null) {
  const { account } = useSession();
  const options = teamItemQuery(account, 'notes', subjectId(subject));
  const { data: own, error } = useQuery({ ...options, ...POLLED, refetchInterval: LOOK_MS });
  const before = useQuery({
    ...teamItemQuery(account, 'notes', subjectId(from ?? subject)),
    enabled: from !== null && own === null,
  });
  const found = own ?? (own === null && from !== null ? before.data : own);
  return { item: found && isEmptyNote(found.value) ? null : found, revision: own?.revision ?? 0, error };
}

interface PaymentNoteProps {
  subject: Subject;
  from?: Subject | null;
  inCase?: boolean;
  level?: 'h2' | 'h3';
  /** Redacted copy to show instead of the note. */
  shown?: NoteFields | null;
}

export function PaymentNoteSection({
  subject,
  from = null,
  inCase = false,
  level: Heading = 'h3',
  shown,
}: PaymentNoteProps) {
  const session = useSession();
  const refusal = useRefusal('annotate');
  const { item, revision, error } = useNote(subject, from);
  // A saved draft opens the form again.
  const [editing, setEditing] = useState(() => {
    const draft = readDraft(draftName(session, subjectId(subject)));
    return fieldsOf(inCase).some(({ name }) => draft?.values[name] !== undefined);
  });
  // When the form closes, the focus returns to the button that opened it.
  const [wasEdited, setEdited] = useState(false);
  const edit = (now: boolean) => {
    setEdited(true);
    setEditing(now);
  };
  return (
    <section
      className={item ? 'grid grid-cols-1 gap-2' : 'grid grid-cols-1 gap-2 print:hidden'}
      aria-label="Reference and note"
    >
      <Heading className="px-0">{inCase ? 'Case' : 'Reference and note'}</Heading>
      {error && <p className="small msg msg-open">It couldn’t be loaded: {describeError(error).message}</p>}
      {editing && item !== undefined ? (
        <NoteForm
          {...{ subject, item, revision, inCase }}
          inherits={from !== null}
          focused={wasEdited}
          onEnd={() => edit(false)}
        />
      ) : (
        <>
          {item && <WrittenNote item={item} shown={shown ?? item.value} most={inCase ? 4_000 : 600} />}
          {item !== undefined && (
            <p className="screen-only">
              <Button
                size="small"
                className="narrow:h-auto narrow:min-h-9 narrow:whitespace-normal"
                icon={<Pencil className="icon-s" aria-hidden />}
                disabledReason={refusal}
                onClick={() => edit(true)}
                ref={wasEdited ? focusOnMount : null}
              >
                {item ? 'Edit' : inCase ? 'Add what the customer says, a ticket or a note' : 'Add a reference or note'}
              </Button>
            </p>
          )}
        </>
      )}
    </section>
  );
}

interface WrittenNoteProps {
  item: TeamItem<Note>;
  shown: NoteFields;
  most: number;
}

function WrittenNote({ item, shown, most }: WrittenNoteProps) {
  const written = NOTE_FIELDS.filter(({ name }) => (shown[name] ?? '') !== '');
  return (
    <>
      <Facts>
        {written.map(({ name, label }) => (
          <TextFact key={name} label={label} value={shown[name] ?? ''} max={most} />
        ))}
      </Facts>
      <p className="small sub">
        Written{byWhom(item)} <Time unix={item.updated_at} />
      </p>
    </>
  );
}

interface NoteFormProps {
  subject: Subject;
  item: TeamItem<Note> | null;
  /** Revision of this subject's own note; 0 if there is none. */
  revision: number;
  /** An emptied note is saved as empty instead of removed, so that it hides the inherited one. */
  inherits: boolean;
  inCase: boolean;
  focused: boolean;
  onEnd: () => void;
}

const THEIRS = NOTE_FIELDS.map(({ name }) => name);

function NoteForm(props: NoteFormProps) {
  const { inCase, focused } = props;
  const { draft, base, isChangedMeanwhile, error, keep, cancel, save } = useNoteForm(props);
  return (
    <form className="form screen-only" noValidate onInput={keep} onSubmit={(event) => void save(event)}>
      {fieldsOf(inCase).map(({ name, label, most, rows, help }, at) => (
        <Field key={name} label={label} help={help}>
          {(control) => {
            const attributes = { ...control, name, className: inputClass, maxLength: most, autoComplete: 'off' };
            const text = draft?.values[name] ?? base.item?.value[name] ?? '';
            const shared = { ...attributes, defaultValue: text, ref: focused && at === 0 ? focusOnMount : null };
            return rows > 1 ? <textarea {...shared} rows={rows} /> : <input {...shared} />;
          }}
        </Field>
      ))}
      {error ? (
        <TeamProblem error={error} heading="The note was not saved" theirs={THEIRS} />
      ) : (
        isChangedMeanwhile && <ChangedMeanwhile item={base.item} theirs={THEIRS} />
      )}
      <div className="acts-row">
        <Button type="submit" variant="primary" size="small">
          Save
        </Button>
        <Button variant="quiet" size="small" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Keeps the form's draft, and saves the form. */
function useNoteForm({ subject, item, revision, inherits, inCase, onEnd }: NoteFormProps) {
  // The version this form started from: a colleague may change the note meanwhile.
  const [base, setBase] = useState({ item, revision });
  const fields = fieldsOf(inCase);
  const { draft, began, keepTexts } = useNoteDraft(subject, revision, fields);
  const { mutateAsync, error, isPending } = useTeamChange('notes');
  const end = (now = began) => {
    keepTexts(now, []);
    onEnd();
  };
  const keep = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const texts = textsIn(currentTarget, fields);
    keepTexts(
      began,
      texts.filter(([name, text]) => text !== (base.item?.value[name] ?? '')),
    );
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const { currentTarget: form } = event;
    const texts = textsIn(form, fields).map(([name, text]) => [name, text.trim()] as const);
    const written: Note = { reference: '', note: '', ...base.item?.value, ...Object.fromEntries(texts), ...subject };
    const isEmpty = isEmptyNote(written);
    if (isEmpty && base.revision === 0 && base.item === null) return end();
    try {
      const value = isEmpty && !inherits ? null : written;
      const saved = await mutateAsync({ id: subjectId(subject), value, revision: base.revision });
      announce('Saved');
      end(began === String(base.revision) ? String(saved.revision) : began);
    } catch (failure) {
      if (!(failure instanceof EditConflictError)) return;
      // The error shows the colleague's version. Unchanged fields take it over; saving again replaces the rest.
      const theirs: TeamItem<Note> | null = failure.item;
      for (const { name } of fields) {
        const field = form.elements.namedItem(name);
        const isTyped = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
        if (isTyped && field.value === (base.item?.value[name] ?? '')) field.value = theirs?.value[name] ?? '';
      }
      setBase({ item: theirs, revision: theirs?.revision ?? 0 });
    }
  };
  const isChangedMeanwhile = began !== String(base.revision);
  return { draft, base, isChangedMeanwhile, error, keep, cancel: () => end(), save };
}

type NoteField = (typeof NOTE_FIELDS)[number];
type NoteText = readonly [name: NoteField['name'], text: string];

/** The unsaved texts of the last visit, and a function that keeps those of this one. */
function useNoteDraft(subject: Subject, revision: number, fields: readonly NoteField[]) {
  const name = draftName(useSession(), subjectId(subject));
  const [draft] = useState(() => readDraft(name));
  /** The first revision the draft was based on. */
  const [began] = useState(draft?.entry ?? String(revision));
  /** Draft texts of fields that only the case file shows. */
  const elsewhere = Object.entries(draft?.values ?? {}).filter(
    ([name]) => !fields.some((field) => field.name === name),
  );
  const keepTexts = (entry: string, texts: readonly NoteText[]) => {
    const all = [...elsewhere, ...texts];
    keepDraft(name, { entry, values: Object.fromEntries(all) }, all.length === 0);
  };
  return { draft, began, keepTexts };
}

function textsIn(form: HTMLFormElement, fields: readonly NoteField[]): NoteText[] {
  const typed = new FormData(form);
  return fields.map(({ name }) => [name, textOrNull(typed.get(name)) ?? '']);
}
