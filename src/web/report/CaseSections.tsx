import type { ReactNode } from 'react';
import { rawOf } from '#src/shared/contract/rows.ts';
import { isAmount } from '#src/shared/amount.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { knownStatus, statusMeaning } from '#src/shared/paymentStatus.ts';
import { textOrJson, revealHidden, numberWords } from '#src/shared/text.ts';
import { formatFull, isoMs, isoUtc, isPlausibleTime, zoneName } from '#src/shared/time.ts';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import {
  type CallsAbout,
  type CaseFact,
  type CaseFile,
  LEDGER_NOT_ASKED,
  ledgerSummary,
  type LedgerPart,
} from './caseFile.ts';

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const LIST =
  'max-[40rem]:[&_li]:gap-0 [&_li]:grid [&_li]:grid-cols-[13rem_minmax(0,1fr)] max-[40rem]:[&_li]:grid-cols-1 [&_li]:gap-3 [&_li]:border-b [&_li]:border-rule [&_li]:py-1.25 [&+p]:mt-2';

export function CaseFacts({ file }: { file: CaseFile }) {
  const { kind, payment, absence } = file;
  return (
    <Section title="Details">
      {absence && (
        <div className="grid max-w-measure gap-1">
          <p>{absence.words}</p>
          {absence.said !== null && (
            <p>
              The provider said: <WholeText text={absence.said} />
            </p>
          )}
          <p className="small sub">
            Checked {isoUtc(absence.at)}, request ID <RequestId id={absence.requestId} />.
          </p>
        </div>
      )}
      {!payment && !absence && <p>It couldn’t be loaded.</p>}
      {payment && (
        <Facts>
          {payment.facts.map((fact) => (
            <Fact
              key={fact.name}
              label={revealHidden(fact.name.length > 80 ? `${fact.name.slice(0, 80)}…` : fact.name)}
            >
              <Value paymentKind={kind} fact={fact} asset={payment.asset} />
            </Fact>
          ))}
          {payment.omittedFields.length > 0 && (
            <Fact label="Left out">{payment.omittedFields.map(revealHidden).join(', ')}</Fact>
          )}
          <Fact label="loaded">
            {formatFull(payment.read.readAt, 'utc')}, request ID <RequestId id={payment.read.requestId} />
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

interface ValueProps {
  paymentKind: PaymentKind;
  fact: CaseFact;
  asset: string | null;
}

function Value({ paymentKind, fact: { kind, value }, asset }: ValueProps) {
  const hidden = useAmountsHidden();
  if (kind === 'amount') return <Amount value={value} asset={asset ?? undefined} readBack />;
  if (value === undefined) return <span className="dim">not provided</span>;
  if (kind === 'time' && isPlausibleTime(value)) return <BothTimes unix={value} />;
  // An undeclared field may hold an amount.
  if (hidden && kind === 'other' && (typeof value === 'object' || isAmount(textOrJson(value)))) return <>•••••</>;
  const text = textOrJson(value);
  if (kind !== 'status') return <Mono text={text} />;
  return (
    <>
      {knownStatus(text) ? <StatusCell status={text} withRaw /> : <Mono text={text} />}
      <span className="small sub block">{statusMeaning(paymentKind, value === null ? null : text)}</span>
    </>
  );
}

function BothTimes({ unix }: { unix: number }) {
  return (
    <>
      {formatFull(unix, 'utc')}
      <span className="small sub block">
        {zoneName('local') !== 'UTC' && `${formatFull(unix, 'local')}; `}Unix {unix}
      </span>
    </>
  );
}

export function CaseLedger({ ledger }: { ledger: LedgerPart }) {
  return (
    <Section title="Ledger entries">
      <Entries ledger={ledger} />
    </Section>
  );
}

function Entries({ ledger }: { ledger: LedgerPart }) {
  if (ledger.kind === 'reading') return <output className="sub">Loading the ledger entries</output>;
  if (ledger.kind === 'not-asked') return <p className="sub">{LEDGER_NOT_ASKED}</p>;
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
        <ul className={LIST}>
          {ledger.entries.map(({ id, created_at, asset, amount, type, book }) => (
            <li key={id}>
              <span>{isPlausibleTime(created_at) ? isoUtc(created_at) : <Word value={created_at} />}</span>
              <span>
                <Amount value={amount} asset={asset ?? undefined} signed flow />
                <span className="small sub block">
                  type <Word value={type} />, book <Word value={book} />, <Mono text={id} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small sub">
        {ledgerSummary(ledger)} Loaded {isoUtc(ledger.readAt)}, request ID <RequestId id={ledger.requestId} />.
      </p>
    </>
  );
}

function Word({ value }: { value: unknown }) {
  if (value === undefined || value === null) return <span className="dim">not provided</span>;
  return <WholeText text={textOrJson(value)} most={200} />;
}

export function CaseCalls({ calls: { calls, more } }: { calls: CallsAbout }) {
  return (
    <Section title="API calls">
      {calls.length === 0 ? (
        <p className="sub">No API calls about this payment in this tab.</p>
      ) : (
        <ul className={LIST}>
          {calls.map(({ attempt, at, method, path, outcome, ms, requestId, replayed }) => (
            <li key={attempt}>
              <span>{isoMs(at)}</span>
              <span>
                <span className="mono" translate="no">
                  {method} <WholeText text={path} most={400} />
                </span>
                <span className="small sub block">
                  {outcome}
                  {ms !== null && `, ${ms} ms`}
                  {replayed && ', replayed'}; request ID <RequestId id={requestId} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small sub">
        API calls in this tab about this payment (device time).
        {more > 0 && ` ${more} earlier ones are left out.`}
      </p>
    </Section>
  );
}

export function RawJsonSection({ row }: { row: object }) {
  const hidden = useAmountsHidden();
  return (
    <Section title="Raw JSON">
      {hidden ? (
        <p className="small sub">Hidden, as amounts are.</p>
      ) : (
        <div className="font-mono text-small whitespace-pre-wrap" translate="no">
          <WholeText text={stringifyExact(rawOf(row), 2)} most={RAW_LENGTH_MAX} />
        </div>
      )}
    </Section>
  );
}

function RequestId({ id }: { id: string | null }) {
  return id === null ? <>none</> : <Mono text={id} most={200} />;
}

function Mono(text: WholeTextProps) {
  return (
    <span className="mono" translate="no">
      <WholeText {...text} />
    </span>
  );
}

// Characters printed of one text, and of the raw JSON.
const TEXT_LENGTH_MAX = 4_000;
const RAW_LENGTH_MAX = 20_000;

interface WholeTextProps {
  text: string;
  most?: number;
}

/** Untrusted text for print. Long text is cut off, because paper has no button to show the rest. */
export function WholeText({ text, most = TEXT_LENGTH_MAX }: WholeTextProps) {
  if (text.length <= most)
    return (
      <bdi className="raw-text" translate="no">
        {revealHidden(text)}
      </bdi>
    );
  return (
    <>
      <bdi className="raw-text raw-long" translate="no">
        {revealHidden(text.slice(0, most))}
      </bdi>{' '}
      <span className="sub">
        (cut here: {numberWords(most)} of {numberWords(text.length)} characters)
      </span>
    </>
  );
}
