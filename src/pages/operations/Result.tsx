import type { ComponentType, ReactNode } from 'react';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { COMPARED } from '#src/lib/operations/compare.ts';
import type { Kind } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { asText, capital } from '#src/lib/text.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { DepositAddress } from './DepositAddress.tsx';
import { RawAnswer } from './RawAnswer.tsx';

type Answer = NonNullable<Operation['result']>;

interface ResultProps {
  record: Operation;
  result: Answer;
}

/** What the service answered with, in the way of its kind. */
export function Result({ record }: { record: Operation }) {
  const Shown = RESULTS[KIND[record.kind].result];
  return record.result ? <Shown record={record} result={record.result} /> : null;
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
function WithdrawalResult({ record, result }: ResultProps) {
  const parsed = parseJson(result.text);
  const object: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const confirmed = COMPARED.filter((field) => result.confirmed.includes(field));
  const open = COMPARED.filter((field) => !result.confirmed.includes(field));
  return (
    <Facts className="accepted">
      <IdFact id={result.id} />
      <Fact label="Status">
        {object['status'] === undefined ? 'not in the answer' : <RawText value={asText(object['status'])} max={80} />}
        {result.by === 'answer' ? ', as it came with the answer' : ', as it came with the last check'}
      </Fact>
      {typeof object['tx_hash'] === 'string' && object['tx_hash'] !== '' && (
        <Fact label="On chain" mono action={<CopyButton value={object['tx_hash']} label="Copy transaction hash" />}>
          <RawText value={object['tx_hash']} max={160} />
        </Fact>
      )}
      {'fee' in object && (
        <Fact label="Fee">
          <RawText value={asText(object['fee'])} max={80} />
        </Fact>
      )}
      <Fact label="Compared">
        {confirmed.length > 0 &&
          `${capital(confirmed.join(', '))} ${confirmed.length === 1 ? 'equals' : 'equal'} what was sent. `}
        {open.length > 0 && `Not confirmed: ${capital(open.join(', '))}.`}
      </Fact>
      <RequestFacts record={record} result={result}>
        The original answer, served again: nothing was sent twice.
      </RequestFacts>
    </Facts>
  );
}

/** An answer whose shape the contract does not show: its id and status if it names them, and all of it as it came. */
function ResultAsItCame({ record, result }: ResultProps) {
  const parsed = parseJson(result.text);
  const status = isObject(parsed) ? parsed['status'] : undefined;
  return (
    <>
      <Facts>
        <IdFact id={result.id} />
        {typeof status === 'string' && (
          <Fact label="Status">
            <RawText value={status} max={80} />, as it came with the answer
          </Fact>
        )}
        <Fact label="Answer">{successOf(record)?.status ?? 'not recorded'}</Fact>
        <RequestFacts record={record} result={result}>
          The original answer, served again: nothing was carried out twice.
        </RequestFacts>
      </Facts>
      <RawAnswer text={result.text} open />
    </>
  );
}

function IdFact({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <Fact label="Id" mono action={<CopyButton value={id} label="Copy id" />}>
      <RawText value={id} max={120} />
    </Fact>
  );
}

/** `children`: what a replay means. */
function RequestFacts({ record, result, children }: ResultProps & { children: ReactNode }) {
  return (
    <>
      {result.requestId !== null && (
        <Fact label="Request id" mono>
          <RawText value={result.requestId} max={80} />
        </Fact>
      )}
      {successOf(record)?.replayed && <Fact label="Replayed">{children}</Fact>}
    </>
  );
}

function successOf(record: Operation) {
  return record.attempts.findLast(({ outcome }) => outcome === 'success');
}
