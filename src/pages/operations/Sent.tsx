import { mayHaveLeft } from '#src/lib/operations/attemptWords.ts';
import { COMPARED } from '#src/lib/operations/compare.ts';
import type { SentField } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { knownResultId, type Operation } from '#src/lib/operations/record.ts';
import { capital } from '#src/lib/text.ts';
import { OtherFields } from '#src/resources/OtherFields.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { RawAnswer } from './Result.tsx';

/** What the recorded request says, and what the service confirmed of it. */
export function Sent({ record }: { record: Operation }) {
  const fields = KIND[record.kind].fieldsOf(record);
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{mayHaveLeft(record) ? 'What was sent' : 'What would be sent'}</h2>
      <div className="in-pad">
        <Facts>
          {fields.map((field) => (
            <SentFact key={'label' in field ? field.label : field.as} field={field} />
          ))}
          {record.state === 'succeeded' && record.kind === 'withdrawal' && <Confirmed record={record} />}
        </Facts>
        {record.kind === 'withdrawal' && record.result && <RawAnswer text={record.result.text} />}
      </div>
    </section>
  );
}

/** The withdrawal that the answer named, how much of the request it repeated, and whether it was a replay. */
function Confirmed({ record }: { record: Operation }) {
  const id = knownResultId(record);
  const done = COMPARED.filter((field) => record.result?.confirmed.includes(field));
  const open = COMPARED.filter((field) => !done.includes(field));
  const isReplayed = record.attempts.some(({ outcome, replayed }) => outcome === 'success' && replayed);
  return (
    <>
      {id !== null && (
        <Fact label="Withdrawal" mono action={<CopyButton value={id} label="Copy ID" />}>
          <UntrustedText value={id} max={120} />
        </Fact>
      )}
      <Fact label="Response">
        {open.length === 0
          ? 'Matches what you sent ✓'
          : `${done.length > 0 ? `${capital(done.join(', '))} as sent. ` : ''}Not confirmed: ${capital(open.join(', '))}.`}
        {isReplayed && <span className="block">Resend confirmed: it was paid once.</span>}
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
  if (as === 'text') {
    return (
      <Fact label={label}>
        <UntrustedText value={value} max={80} />
      </Fact>
    );
  }
  const copied = as === 'address' ? 'Copy address' : `Copy ${label.toLowerCase()} id`;
  return (
    <Fact label={label} mono={as === 'id'} action={<CopyButton value={value} label={copied} />}>
      {as === 'address' ? <GroupedAddress value={value} /> : <UntrustedText value={value} max={120} />}
    </Fact>
  );
}
