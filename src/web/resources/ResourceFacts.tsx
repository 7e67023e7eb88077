import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { lazy, type ReactNode, Suspense } from 'react';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { paymentOf } from '#src/shared/overview/payment.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { paidAgain } from '#src/web/storage/locationState.ts';
import { failureOf, statusSentence } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import { textOrNull, visibleCode } from '#src/shared/text.ts';
import { type ListRow, moneyOf, valueOf } from '#src/web/list/fields.tsx';
import { HandledMark } from '#src/web/list/HandledMark.tsx';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { FactLine, ToRecipient } from './FactLine.tsx';
import { OtherFields, RawJson } from './OtherFields.tsx';
import { fieldsNamed } from './listColumns.ts';
import type { ResourceProps } from './resource.ts';

const loadDetail = () => import('./PaymentDetail.tsx').then(({ PaymentDetail }) => ({ default: PaymentDetail }));
const PaymentDetail = lazy(loadDetail);
/** Loaded with the page rather than after the row; a failure is reported where the detail renders. */
void loadDetail().catch(() => undefined);

/** Characters of an asset code beside the amount. The fields show the whole code. */
const ASSET_MAX = 24;

interface RowProps<T extends ListRow> extends ResourceProps<T> {
  row: T;
  read: ResponseInfo;
}

export function ResourceFacts<T extends ListRow>(props: RowProps<T>) {
  const { resource, row, read } = props;
  const { fields, ids = [], at, payment } = resource;
  const status = fields.find(({ kind }) => kind === 'status');
  const word = status ? textOrNull(valueOf(status, row)) : null;
  const facts = <FactLines {...props} />;
  const readFacts = <ReadFacts {...props} />;
  return (
    <>
      <Heading {...props} chip={status && <StatusCell status={word} withRaw />} />
      {payment &&
        (failureOf(word, '') === null ? (
          <p>{statusSentence(payment, word)}</p>
        ) : (
          <Failed kind={payment} row={row} status={word} />
        ))}
      {payment ? (
        <Suspense>
          <PaymentDetail
            kind={payment}
            row={row}
            read={read}
            at={at}
            facts={<Facts>{facts}</Facts>}
            ids={
              <Facts>
                <NamedFacts {...props} names={ids} />
                {readFacts}
              </Facts>
            }
          />
        </Suspense>
      ) : (
        <>
          <Facts>
            {facts}
            {readFacts}
          </Facts>
          <RawJson value={row} />
        </>
      )}
    </>
  );
}

/** The amount, who it went to, and the status. */
function Heading<T extends ListRow>({ resource, row, chip }: RowProps<T> & { chip: ReactNode }) {
  const { fields, api, payment } = resource;
  const money = moneyOf(fields);
  const amount = money && valueOf(money, row);
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1">
      <div className="panel-title">
        <Amount
          value={amount}
          asset={row.asset?.slice(0, ASSET_MAX)}
          readBack
          figure
          signed={money?.kind === 'movement'}
        />
        {typeof amount === 'string' && <CopyButton value={amount} label="Copy amount" />}
      </div>
      {payment === 'withdrawal' && <ToRecipient row={row} />}
      {/* Announced when the status changes. */}
      {api.byId ? <output>{chip}</output> : chip}
    </div>
  );
}

/** The lines of the detail, then every other field of the response, then the optional fields that are missing. */
function FactLines<T extends ListRow>(props: RowProps<T>) {
  const { resource, row } = props;
  const { fields, ids = [] } = resource;
  const details = detailFields(props);
  const named = [...details, ...fieldsNamed(fields, ids)];
  // A field with a different `value` doesn't count as shown, so that the service's field of that name is among the other fields.
  const ownFields = named.filter((field) => !field.value || field.value(row) === row[field.name]);
  const missing = fields.flatMap(({ name, open }) => (open && !Object.hasOwn(row, name) ? [open] : []));
  const except = ['object', 'fee', moneyOf(fields)?.name ?? '', ...ownFields.map(({ name }) => name)];
  return (
    <>
      <NamedFacts {...props} names={details.map(({ name }) => name)} />
      <OtherFields record={row} except={except} />
      {missing.length > 0 && (
        <Fact label="Not provided">
          <span className="sub">{missing.join(', ')}</span>
        </Fact>
      )}
    </>
  );
}

function detailFields<T extends ListRow>({ resource: { fields, detail }, row }: RowProps<T>) {
  return fieldsNamed(fields, detail).filter(({ name, open }) => !open || typeof row[name] === 'string');
}

function NamedFacts<T extends ListRow>({ names, ...props }: RowProps<T> & { names: readonly string[] }) {
  return fieldsNamed(props.resource.fields, names).map((field) => (
    <FactLine key={field.name} field={field} {...props} />
  ));
}

/** When and by which request the row was loaded. */
function ReadFacts<T extends ListRow>({ resource, read }: RowProps<T>) {
  return (
    <>
      <Fact label="Loaded">
        <Time unix={read.readAt} />
        {resource.api.byId && (
          <span className="small sub block">
            Again every 3 s at first, slowing to once a minute, while this page is in view.
          </span>
        )}
      </Fact>
      <TextFact label="Request ID" mono value={read.requestId} max={80} copy="Copy request ID" />
      {read.requestId === null && <Fact label="Request ID">not in the response</Fact>}
    </>
  );
}

function Failed({ kind, row, status }: { kind: 'deposit' | 'withdrawal'; row: ListRow; status: string | null }) {
  const hidden = useAmountsHidden();
  const { id, asset, amount } = row;
  const isKnown = !hidden && isAmount(amount) && asset !== null;
  const failure = failureOf(status, isKnown ? `${formatAmount(amount)} ${visibleCode(asset)}` : 'The amount');
  const again = kind === 'withdrawal' ? paidAgain(row) : null;
  return (
    <Notice tone="alarm" title={`${failure?.word}.`}>
      {kind === 'withdrawal' ? failure?.rest : statusSentence(kind, status)}
      <div className="acts-row">
        {again && (
          <ActionLink ability="prepare" size="small" reasonHidden to={paths.newWithdrawal} state={again}>
            Send again
          </ActionLink>
        )}
        <HandledMark subject={{ kind, id }} amount={paymentOf(kind, row).amount} asset={asset} />
      </div>
    </Notice>
  );
}
