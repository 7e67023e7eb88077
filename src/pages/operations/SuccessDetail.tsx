import { isObject, parseJson } from '#src/lib/answers.ts';
import { asText, capital } from '#src/lib/text.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { COMPARED } from '#src/lib/operations/compare.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';

/** The service's own words on an accepted withdrawal, as they came with the answer or the last check. */
export function SuccessDetail({ record }: { record: Operation }) {
  const { result } = record;
  if (!result) return null;
  const parsed = parseJson(result.text);
  const object: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const confirmed = COMPARED.filter((field) => result.confirmed.includes(field));
  const open = COMPARED.filter((field) => !result.confirmed.includes(field));
  const replayed = record.attempts.findLast(({ outcome }) => outcome === 'success')?.replayed ?? false;
  return (
    <Facts className="accepted">
      {result.id !== null && (
        <Fact label="Id" mono action={<CopyButton value={result.id} label="Copy id" />}>
          <RawText value={result.id} max={120} />
        </Fact>
      )}
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
      {result.requestId !== null && (
        <Fact label="Request id" mono>
          <RawText value={result.requestId} max={80} />
        </Fact>
      )}
      {replayed && <Fact label="Replayed">The original answer, served again: nothing was sent twice.</Fact>}
    </Facts>
  );
}
