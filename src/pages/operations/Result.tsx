import type { ComponentType, ReactNode } from 'react';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { indentJson } from '#src/lib/indentJson.ts';
import { COMPARED } from '#src/lib/operations/compare.ts';
import type { Kind } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { statusMeaning } from '#src/lib/paymentStatus.ts';
import { asText, capital } from '#src/lib/text.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Time } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { RequestIdFact } from './StatePage.tsx';
import { DepositAddress } from './DepositAddress.tsx';
import type { Payment } from './usePayment.ts';

type Answer = NonNullable<Operation['result']>;

interface ResultProps {
  record: Operation;
  result: Answer;
  /** As read since. */
  payment: Payment | null;
}

/** What the service answered with, in the way of its kind. */
export function Result({ record, payment = null }: { record: Operation; payment?: Payment | null }) {
  const Shown = RESULTS[KIND[record.kind].result];
  return record.result ? <Shown record={record} result={record.result} payment={payment} /> : null;
}

const RESULTS: Record<Kind['result'], ComponentType<ResultProps>> = {
  withdrawal: WithdrawalResult,
  'deposit-address': (props) => (
    <>
      <DepositAddress {...props} />
      <ResultAsItCame {...props} />
    </>
  ),
  'as-it-came': ResultAsItCame,
};

/** The service's own words on an accepted withdrawal, as they came with the answer or the last check. */
function WithdrawalResult(props: ResultProps) {
  const { result, payment } = props;
  const parsed = payment?.row ?? parseJson(result.text);
  const object: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const { status } = object;
  const confirmed = COMPARED.filter((field) => result.confirmed.includes(field));
  const open = COMPARED.filter((field) => !result.confirmed.includes(field));
  return (
    <Facts className="accepted">
      <IdFact id={result.id} />
      <Fact label="Status">
        {status === undefined ? 'not in the answer' : <UntrustedText value={asText(status)} max={80} />}
        {payment !== null ? (
          <>
            , updated <Time unix={payment.readAt} />
          </>
        ) : (
          `, as it came with the ${result.by === 'answer' ? 'answer' : 'last check'}`
        )}
        <span className="small sub block">
          {statusMeaning('withdrawal', typeof status === 'string' ? status : null)}
        </span>
      </Fact>
      {typeof object['tx_hash'] === 'string' && object['tx_hash'] !== '' && (
        <Fact label="On chain" mono action={<CopyButton value={object['tx_hash']} label="Copy transaction hash" />}>
          <UntrustedText value={object['tx_hash']} max={160} />
        </Fact>
      )}
      {'fee' in object && (
        <Fact label="Fee">
          <UntrustedText value={asText(object['fee'])} max={80} />
        </Fact>
      )}
      <Fact label="Compared">
        {confirmed.length > 0 &&
          `${capital(confirmed.join(', '))} ${confirmed.length === 1 ? 'equals' : 'equal'} what was sent. `}
        {open.length > 0 && `Not confirmed: ${capital(open.join(', '))}.`}
      </Fact>
      <RequestFacts {...props}>The original answer, served again: nothing was sent twice.</RequestFacts>
    </Facts>
  );
}

/** An answer whose shape the contract does not show: its id and status if it names them, and all of it as it came. */
function ResultAsItCame(props: ResultProps) {
  const { record, result } = props;
  const parsed = parseJson(result.text);
  const status = isObject(parsed) ? parsed['status'] : undefined;
  return (
    <>
      <Facts>
        <IdFact id={result.id} />
        {typeof status === 'string' && (
          <Fact label="Status">
            <UntrustedText value={status} max={80} />, as it came with the answer
          </Fact>
        )}
        <Fact label="Answer">{successOf(record)?.status ?? 'not recorded'}</Fact>
        <RequestFacts {...props}>The original answer, served again: nothing was carried out twice.</RequestFacts>
      </Facts>
      <RawAnswer text={result.text} open />
    </>
  );
}

function IdFact({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <Fact label="Id" mono action={<CopyButton value={id} label="Copy id" />}>
      <UntrustedText value={id} max={120} />
    </Fact>
  );
}

/** `children`: what a replay means. */
function RequestFacts({ record, result, children }: ResultProps & { children: ReactNode }) {
  return (
    <>
      <RequestIdFact id={result.requestId} />
      {successOf(record)?.replayed && <Fact label="Replayed">{children}</Fact>}
    </>
  );
}

function successOf(record: Operation) {
  return record.attempts.findLast(({ outcome }) => outcome === 'success');
}

const SHOWN = 4_000;

/** An answer of the service as it came, behind a summary; only white space between its values is ours. */
export function RawAnswer({ text, open = false }: { text: string; open?: boolean }) {
  const hidden = useAmountsHidden();
  if (text === '') return <p className="sub">The answer has no content.</p>;
  if (hidden) return <p className="small sub">Raw JSON is hidden, as amounts are.</p>;
  return (
    <details open={open} className="raw-answer">
      <summary>Raw JSON</summary>
      <div className="code">
        <span className="copy">
          <CopyButton value={text} label="Copy JSON" />
        </span>
        <UntrustedText value={indentJson(text) ?? text} max={SHOWN} />
      </div>
    </details>
  );
}
