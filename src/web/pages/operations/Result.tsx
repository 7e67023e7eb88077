import type { ComponentType } from 'react';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { indentJson } from '#src/shared/json/indentJson.ts';
import { COMPARED, type Kind, type SentField } from '#src/shared/operations/kind.ts';
import { addressIn, type FoundAddress } from '#src/shared/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/shared/operations/depositAddress.ts';
import type { DepositAddressFields } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type Operation, knownResultId } from '#src/shared/operations/record.ts';
import { AddressCard } from '#src/web/resources/AddressCard.tsx';
import { useAmountsHidden, Amount } from '#src/web/ui/Amount.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { mayHaveLeft } from '#src/shared/operations/attemptWords.ts';
import { capital, visibleCode } from '#src/shared/text.ts';
import { OtherFields } from '#src/web/resources/OtherFields.tsx';

interface ResultProps {
  record: Operation;
  result: NonNullable<Operation['result']>;
}

export function OperationResult({ record }: { record: Operation }) {
  const KindResult = RESULTS[KIND[record.kind].result];
  return record.result ? <KindResult record={record} result={record.result} /> : null;
}

const RESULTS: Record<Kind['result'], ComponentType<ResultProps>> = {
  // A withdrawal's timeline shows its result.
  withdrawal: () => null,
  'deposit-address': (props) => (
    <>
      <DepositAddress {...props} />
      <ResultAsItCame {...props} folded />
    </>
  ),
  'as-it-came': ResultAsItCame,
};

function DepositAddress({ record, result }: ResultProps) {
  const request = readDepositAddressBody(record.body);
  if (request === null) return null;
  const found = addressIn(result.text, request);
  if (found.kind === 'one') return <AddressCard request={request} address={found.address} along={found.along} />;
  return (
    <div className="max-w-184">
      <NoAddress request={request} found={found} />
    </div>
  );
}

/** Why no address is shown. The raw response is below. */
function NoAddress({
  request,
  found,
}: {
  request: DepositAddressFields;
  found: Exclude<FoundAddress, { kind: 'one' }>;
}) {
  if (found.kind === 'other') {
    return (
      <Notice tone="alarm" title="The response is for something else.">
        Asked for was an address of {visibleCode(request.asset)} on {chainLabel(request.chain)}; the response says{' '}
        <UntrustedText
          value={`${visibleCode(found.asset ?? request.asset)} on ${found.chain === null ? 'no chain' : chainLabel(found.chain)}`}
          max={160}
        />
        . Do not give its address to a payer. Ask the provider, with the request ID below.
      </Notice>
    );
  }
  const what = found.kind === 'none' ? 'The response names no address.' : 'The response names several addresses.';
  return (
    <Notice tone="open" title={what}>
      {found.kind === 'none' ? 'None is guessed from it' : 'Which of them is meant is not guessed'}; it is shown below
      as it came. Ask the provider, with the request ID, before you create another one.
    </Notice>
  );
}

/** A response whose format isn't in the contract: its id and status, if any, and the raw text. */
function ResultAsItCame({ record, result, folded = false }: ResultProps & { folded?: boolean }) {
  const parsed = parseJson(result.text);
  const status = isObject(parsed) ? parsed['status'] : undefined;
  const success = record.attempts.findLast(({ outcome }) => outcome === 'success');
  return (
    <>
      <Facts>
        <TextFact label="ID" mono value={result.id} max={120} copy="Copy ID" />
        {typeof status === 'string' && (
          <Fact label="Status">
            <UntrustedText value={status} max={80} />, as it came with the response
          </Fact>
        )}
        <Fact label="Response">{success?.status ?? 'not recorded'}</Fact>
        <TextFact label="Request ID" mono value={result.requestId} max={80} />
        {success?.replayed && <Fact label="Replayed">Resend confirmed: it was done once.</Fact>}
      </Facts>
      <RawAnswer text={result.text} open={!folded} />
    </>
  );
}

const RAW_LENGTH_MAX = 4_000;

/** A collapsed raw response of the service. Only the white space between its values is changed. */
export function RawAnswer({ text, open = false }: { text: string; open?: boolean }) {
  const hidden = useAmountsHidden();
  if (text === '') return <p className="sub">The response has no content.</p>;
  if (hidden) return <p className="small sub">Raw JSON is hidden, as amounts are.</p>;
  return (
    <details open={open}>
      <summary>Raw JSON</summary>
      <div className="code mt-1 max-w-184">
        <span className="float-right -mt-1 -mr-1 ml-2">
          <CopyButton value={text} label="Copy JSON" />
        </span>
        <UntrustedText value={indentJson(text) ?? text} max={RAW_LENGTH_MAX} />
      </div>
    </details>
  );
}

export function SentRequest({ record }: { record: Operation }) {
  const fields = KIND[record.kind].fieldsOf(record);
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{mayHaveLeft(record) ? 'What was sent' : 'What would be sent'}</h2>
      <div className="in-pad">
        <Facts>
          {fields.map((field) => (
            <SentFact key={'label' in field ? field.label : field.as} field={field} />
          ))}
          {record.state === 'succeeded' && record.kind === 'withdrawal' && <ConfirmedFields record={record} />}
        </Facts>
        {record.kind === 'withdrawal' && record.result && <RawAnswer text={record.result.text} />}
      </div>
    </section>
  );
}

/** The withdrawal in the response, which fields of the request it repeats, and whether it was a replay. */
function ConfirmedFields({ record }: { record: Operation }) {
  const id = knownResultId(record);
  const confirmed = COMPARED.filter((field) => record.result?.confirmed.includes(field));
  const unconfirmed = COMPARED.filter((field) => !confirmed.includes(field));
  const isReplayed = record.attempts.some(({ outcome, replayed }) => outcome === 'success' && replayed);
  return (
    <>
      <TextFact label="Withdrawal" mono value={id} max={120} copy="Copy ID" />
      <Fact label="Response">
        {unconfirmed.length === 0
          ? 'Matches what you sent ✓'
          : `${confirmed.length > 0 ? `${capital(confirmed.join(', '))} as sent. ` : ''}Not confirmed: ${capital(unconfirmed.join(', '))}.`}
        {isReplayed && <span className="block">Resend confirmed: it was created once.</span>}
      </Fact>
    </>
  );
}

function SentFact({ field }: { field: SentField }) {
  if (field.as === 'others') return <OtherFields record={field.value} except={[]} />;
  const { label } = field;
  if (field.as === 'amount') {
    return (
      <Fact label={label}>
        <Amount value={field.value} asset={field.asset} readBack />
      </Fact>
    );
  }
  const { as, value } = field;
  if (as === 'text') return <TextFact label={label} value={value} max={80} />;
  if (as !== 'address')
    return (
      <TextFact label={label} mono={as === 'id'} value={value} max={120} copy={`Copy ${label.toLowerCase()} id`} />
    );
  return (
    <Fact label={label} action={<CopyButton value={value} label="Copy address" />}>
      <GroupedAddress value={value} />
    </Fact>
  );
}
