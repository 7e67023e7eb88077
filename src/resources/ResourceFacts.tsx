import { useMemo } from 'react';
import type { Meta } from '#src/api/read.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { CaseFileLink } from './CaseFileLink.tsx';
import { CreatedAt, StatusFact } from './FieldLine.tsx';
import { AlongWords, CopyAddress } from './CopyAddress.tsx';
import { ExplorerLink } from './ExplorerLink.tsx';
import { type Field, type ListRow, moneyOf, textOf, valueOf } from '#src/list/fields.tsx';
import { LocalStory } from '#src/case-file/LocalStory.tsx';
import { OtherFields, RawJson } from './OtherFields.tsx';
import { PaymentNote } from './PaymentNote.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { formatAmount, isAmount } from '#src/lib/amount.ts';
import { locationState } from '#src/lib/locationState.ts';
import { failureOf } from '#src/lib/paymentStatus.ts';
import { visible } from '#src/lib/text.ts';
import { HandledMark } from '#src/list/HandledMark.tsx';
import { Amount, useAmountsHidden } from '#src/ui/Amount.tsx';
import { buttonClass } from '#src/ui/Button.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { fieldsNamed, type ResourceProps } from './resource.ts';
import { BookOpen } from 'lucide-react';
import { Link } from 'react-router';
import { type Payment, STORIES } from '#src/lib/operations/story.ts';
import { paths } from '#src/lib/paths.ts';
import { isSearchText } from '#src/lib/searchParams.ts';

/** Beside the amount; the whole code stands among the fields. */
const ASSET_MAX = 24;

interface RowProps<T extends ListRow> extends ResourceProps<T> {
  row: T;
  read: Meta;
}

/** Every field of a row as it came, the request that brought it, and what is recorded about it. */
export function ResourceFacts<T extends ListRow>({ resource, row, read }: RowProps<T>) {
  const { fields, detail, at, live, payment } = resource;
  const money = moneyOf(fields);
  const amount = money && valueOf(money, row);
  const status = fields.find(({ kind }) => kind === 'status');
  const chip = status && <StatusCell status={textOf(valueOf(status, row))} />;
  const lines = fieldsNamed(fields, detail).filter(({ name, open }) => !open || typeof row[name] === 'string');
  // A line that found its value elsewhere leaves the field of its name to the others.
  const told = lines.filter((field) => !field.value || field.value(row) === row[field.name]);
  const missing = fields.flatMap(({ name, open }) => (open && !Object.hasOwn(row, name) ? [open] : []));
  return (
    <>
      <div className="panel-title">
        <Amount
          value={amount}
          asset={row.asset?.slice(0, ASSET_MAX)}
          readBack
          figure
          signed={money?.kind === 'movement'}
        />
        {typeof amount === 'string' && <CopyButton value={amount} label="Copy amount" />}
        {/* Announced when a read brings another status. */}
        {live ? <output>{chip}</output> : chip}
      </div>
      {payment === 'withdrawal' && status && <FailedWithdrawal row={row} status={textOf(valueOf(status, row))} />}
      <Facts>
        {lines.map((field) => (
          <Line key={field.name} field={field} resource={resource} row={row} read={read} />
        ))}
        <OtherFields record={row} except={['object', money?.name ?? '', ...told.map(({ name }) => name)]} />
        {missing.length > 0 && (
          <Fact label="Not stated">
            <span className="sub">{missing.join(', ')}</span>
          </Fact>
        )}
        {live && (
          <Fact label="Read">
            <Time unix={read.readAt} />
            <span className="small sub block">
              Read again every 3 s at first, slowing to once a minute, while this page is in view.
            </span>
          </Fact>
        )}
        {read.requestId === null ? (
          live && <Fact label="Request id">not in the answer</Fact>
        ) : (
          <Fact
            label={live ? 'Request id' : 'Read by request'}
            mono
            action={<CopyButton value={read.requestId} label="Copy request id" />}
          >
            <UntrustedText value={read.requestId} max={80} />
          </Fact>
        )}
      </Facts>
      {payment && <PaymentFacts of={payment} row={row} at={at} />}
      <RawJson value={row} />
    </>
  );
}

function Line<T extends ListRow>({ field, resource, row, read }: RowProps<T> & { field: Field<T> }) {
  if (field.fact) return field.fact(row);
  const { label, kind } = field;
  const value = valueOf(field, row);
  const text = textOf(value);
  switch (kind) {
    case 'time':
      return (
        <Fact label={label}>
          <CreatedAt unix={value} read={read} />
        </Fact>
      );
    case 'amount':
    case 'movement':
      return (
        <Fact label={label}>
          <Amount value={value} asset={row.asset ?? undefined} flow signed={kind === 'movement'} />
        </Fact>
      );
    case 'status':
      if (resource.payment) return <StatusFact of={resource.payment} status={text} />;
      break;
    case 'id':
    case 'address':
    case 'hash':
      return (
        <Fact
          label={label}
          mono
          action={
            text !== null && <CopyAddress address={text} of={kind === 'address' ? row : {}} label={copied(label)} />
          }
        >
          <Word text={text} />
          {kind === 'address' && <AlongWords of={row} />}
          {kind !== 'id' && text !== null && (
            <ExplorerLink
              chain={textOf(row['chain'])}
              kind={kind === 'address' ? 'address' : 'transaction'}
              value={text}
            />
          )}
        </Fact>
      );
    case 'word':
      break;
  }
  return (
    <Fact label={label}>
      <Word text={text} />
    </Fact>
  );
}

/** "Id" within a sentence. */
function copied(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

function Word({ text }: { text: string | null }) {
  return text === null ? <span className="dim">not in the answer</span> : <UntrustedText value={text} max={160} />;
}

/** A withdrawal that came to nothing: what that means, and the way to send it again. */
function FailedWithdrawal({ row, status }: { row: ListRow; status: string | null }) {
  const hidden = useAmountsHidden();
  const { id, asset, chain, amount, address } = row;
  const isKnown = !hidden && isAmount(amount) && asset !== null;
  const failure = failureOf(status, isKnown ? `${formatAmount(amount)} ${visible(asset)}` : 'The amount');
  if (failure === null) return null;
  const prefill = Object.fromEntries(
    Object.entries({ asset, chain, amount, address }).map(([name, value]) => [name, textOf(value) ?? '']),
  );
  return (
    <Notice tone="alarm" title={`${failure.word}.`}>
      {failure.rest}
      <div className="acts-row">
        <Link className={buttonClass('plain', 'small')} to={paths.newWithdrawal} state={locationState({ prefill })}>
          Send again
        </Link>
        <HandledMark subject={{ kind: 'withdrawal', id }} />
      </div>
    </Notice>
  );
}

interface PaymentProps<T extends ListRow> {
  of: Payment;
  row: T;
  at: string;
}

/** What the team and the journal say of a deposit or a withdrawal, and where more of it stands. */
function PaymentFacts<T extends ListRow>({ of, row, at }: PaymentProps<T>) {
  const { id } = row;
  const view = useOperationsAbout(id);
  const story = useMemo(() => STORIES[of](view, id, row), [of, view, id, row]);
  return (
    <>
      <PaymentNote subject={{ kind: of, id }} />
      <LocalStory story={story} />
      <div className="acts-row">
        <CaseFileLink at={at} id={id} />
        <LedgerLink of={of} id={id} />
      </div>
    </>
  );
}

/** The way to the ledger entries behind a deposit or a withdrawal. */
export function LedgerLink({ of, id }: { of: 'deposit' | 'withdrawal'; id: string }) {
  if (!isSearchText(id)) return null;
  return (
    <Link to={paths.ledger(new URLSearchParams({ source: id }))}>
      <BookOpen className="icon-s" aria-hidden /> Ledger entries of this {of}
    </Link>
  );
}
