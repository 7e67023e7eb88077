import { TriangleAlert } from 'lucide-react';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { asText } from '#src/lib/text.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { COMPARED, type ComparedField, compareWithSent } from '#src/lib/operations/compare.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { RawAnswer } from './Result.tsx';
import './compare.css';

/** What was sent beside what came under its key, as it came; the fields that differ are marked. */
export function Compare({ record }: { record: Operation }) {
  const { contradiction } = record;
  const sent = readWithdrawalBody(record.body);
  if (!contradiction || !sent) return null;
  const parsed = parseJson(contradiction.text);
  const came: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const { differing, equal } = compareWithSent(sent, came);
  return (
    <section aria-labelledby="compare" className="compare">
      <h2 id="compare">Compare both</h2>
      <p className="in-pad sub small">
        {contradiction.by === 'answer' ? 'It came as the response to the POST' : 'It came when the ID was looked up'},
        named{' '}
        <span className="mono">
          <UntrustedText value={contradiction.id} max={80} />
        </span>
        , request ID{' '}
        <span className="mono">
          <UntrustedText value={contradiction.requestId ?? 'none'} max={80} />
        </span>
        .
      </p>
      <table className="grid-table labelled op-table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Sent</th>
            <th scope="col">Came</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {COMPARED.map((field) => {
            const differs = differing.includes(field);
            return (
              <tr key={field} className={differs ? 'differs' : undefined}>
                <th scope="row">{field}</th>
                <td data-label="Sent" className="answer mono">
                  <Value field={field} value={sent[field]} />
                </td>
                <td data-label="Came" className="answer mono">
                  {Object.hasOwn(came, field) ? <Value field={field} value={came[field]} /> : 'not provided'}
                </td>
                <td data-label="Result">
                  {differs ? (
                    <Chip tone="alarm" icon={<TriangleAlert aria-hidden />}>
                      differs
                    </Chip>
                  ) : equal.includes(field) ? (
                    'equal'
                  ) : (
                    <span className="dim">not compared</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="in-pad compare-raw">
        <RawAnswer text={contradiction.text} />
      </div>
    </section>
  );
}

function Value({ field, value }: { field: ComparedField; value: unknown }) {
  return field === 'amount' ? <Amount value={value} compared flow /> : <UntrustedText value={asText(value)} />;
}
