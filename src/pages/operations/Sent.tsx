import type { ComponentType } from 'react';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { OtherFields } from '#src/resources/OtherFields.tsx';
import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import { deliveryOf } from '#src/lib/operations/webhookReplay.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { OperationKind } from '#src/lib/operations/kind.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { mayHaveLeft } from '#src/lib/operations/attemptWords.ts';

/** The recorded bytes and their key, to be read and copied; nothing here can be edited. */
export function Sent({ record }: { record: Operation }) {
  const Fields = FIELDS[record.kind];
  const bytes = new TextEncoder().encode(record.body).length;
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{mayHaveLeft(record) ? 'What was sent' : 'What would be sent'}</h2>
      <div className="in-pad">
        <Facts>
          <Fields record={record} />
          <Fact label="Key" mono action={<CopyButton value={record.key} label="Copy key" />}>
            {record.key}
          </Fact>
          <Fact label="Request" mono>
            POST <RawText value={record.path} max={200} />
          </Fact>
          <Fact label="Body">
            {useAmountsHidden() ? (
              <span className="sub">{bytes} bytes, hidden, as amounts are</span>
            ) : (
              <details>
                <summary>{bytes} bytes, unchanged</summary>
                <pre className="code">{record.body}</pre>
              </details>
            )}
          </Fact>
        </Facts>
        <p className="sub small">
          Nothing here can be edited: every attempt uses the same key and the same bytes, so that the service carries it
          out at most once.
        </p>
      </div>
    </section>
  );
}

/** What the body says, by kind. */
const FIELDS: Record<OperationKind, ComponentType<{ record: Operation }>> = {
  withdrawal: WithdrawalFields,
  'deposit-address': AddressFields,
  charge: ChargeFields,
  'webhook-replay': ReplayFields,
};

function WithdrawalFields({ record }: { record: Operation }) {
  const sent = readWithdrawalBody(record.body);
  if (!sent) return null;
  return (
    <>
      <Fact label="Amount">
        <Amount value={sent.amount} asset={sent.asset} readBack />
      </Fact>
      <Fact label="To" action={<CopyButton value={sent.address} label="Copy address" />}>
        <Chunks value={sent.address} />
      </Fact>
      <Fact label="Chain">
        <RawText value={sent.chain} max={80} />
      </Fact>
    </>
  );
}

function AddressFields({ record }: { record: Operation }) {
  const sent = readDepositAddressBody(record.body);
  if (!sent) return null;
  return (
    <>
      <Fact label="Asset">
        <RawText value={sent.asset} max={80} />
      </Fact>
      <Fact label="Chain">
        <RawText value={sent.chain} max={80} />
      </Fact>
    </>
  );
}

/** The contract does not state its fields: under their own names and as they were given. */
function ChargeFields({ record }: { record: Operation }) {
  const sent = parseJson(record.body);
  if (!isObject(sent)) return null;
  return (
    <>
      {'amount' in sent && (
        <Fact label="amount">
          <Amount value={sent['amount']} readBack />
        </Fact>
      )}
      <OtherFields record={sent} except={['amount']} />
    </>
  );
}

function ReplayFields({ record }: { record: Operation }) {
  const delivery = deliveryOf(record);
  if (delivery === null) return null;
  return (
    <Fact label="Delivery" mono action={<CopyButton value={delivery} label="Copy delivery id" />}>
      <RawText value={delivery} max={120} />
    </Fact>
  );
}
