import { mayHaveLeft } from '#src/lib/operations/attemptWords.ts';
import type { SentField } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { OtherFields } from '#src/list/OtherFields.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';

/** The recorded bytes and their key, to be read and copied; nothing here can be edited. */
export function Sent({ record }: { record: Operation }) {
  const fields = KIND[record.kind].fieldsOf(record);
  const bytes = new TextEncoder().encode(record.body).length;
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{mayHaveLeft(record) ? 'What was sent' : 'What would be sent'}</h2>
      <div className="in-pad">
        <Facts>
          {fields.map((field) => (
            <SentFact key={'label' in field ? field.label : field.as} field={field} />
          ))}
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
        <RawText value={value} max={80} />
      </Fact>
    );
  }
  const copied = as === 'address' ? 'Copy address' : `Copy ${label.toLowerCase()} id`;
  return (
    <Fact label={label} mono={as === 'id'} action={<CopyButton value={value} label={copied} />}>
      {as === 'address' ? <Chunks value={value} /> : <RawText value={value} max={120} />}
    </Fact>
  );
}
