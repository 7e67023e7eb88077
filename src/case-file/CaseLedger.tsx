import { asText } from '#src/lib/text.ts';
import { isoUtc, isPlausibleTime } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import type { LedgerPart } from './caseFile.ts';
import { ledgerEnd } from './caseMarkdown.ts';
import { RequestId } from './RequestId.tsx';
import { WholeText } from './WholeText.tsx';

/** The ledger entries that name it, and how far the ledger was read. */
export function CaseLedger({ ledger }: { ledger: LedgerPart }) {
  return (
    <section aria-label="Ledger entries">
      <h2>Ledger entries</h2>
      <Entries ledger={ledger} />
    </section>
  );
}

function Entries({ ledger }: { ledger: LedgerPart }) {
  if (ledger.kind === 'reading') return <output className="sub">Loading the ledger entries</output>;
  if (ledger.kind === 'not-asked') return <p className="sub">Not asked for: the id is too long to be a filter.</p>;
  if (ledger.kind === 'none') {
    return (
      <p className="sub">
        {ledger.words}
        {ledger.said !== null && (
          <>
            {' '}
            The provider said: <WholeText text={ledger.said} />
          </>
        )}
      </p>
    );
  }
  return (
    <>
      {ledger.entries.length > 0 && (
        <ul className="case-list">
          {ledger.entries.map(({ id, created_at, asset, amount, type, book }) => (
            <li key={id}>
              <span>{isPlausibleTime(created_at) ? isoUtc(created_at) : <Word value={created_at} />}</span>
              <span>
                <Amount value={amount} asset={asset ?? undefined} signed flow />
                <span className="small sub block">
                  type <Word value={type} />, book <Word value={book} />,{' '}
                  <span className="mono">
                    <WholeText text={id} />
                  </span>
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small sub">
        {ledgerEnd(ledger)} Loaded {isoUtc(ledger.readAt)}, request ID <RequestId id={ledger.requestId} />.
      </p>
    </>
  );
}

function Word({ value }: { value: unknown }) {
  if (value === undefined || value === null) return <span className="dim">not provided</span>;
  return <WholeText text={asText(value)} most={200} />;
}
