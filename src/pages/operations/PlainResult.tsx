import { isObject, parseJson } from '#src/lib/answers.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { RawAnswer } from './RawAnswer.tsx';

/** An answer whose shape the contract does not show: its id and status if it names them, and all of it as it came. */
export function PlainResult({ record }: { record: Operation }) {
  const { result } = record;
  if (!result) return null;
  const parsed = parseJson(result.text);
  const status = isObject(parsed) ? parsed['status'] : undefined;
  const answered = record.attempts.findLast(({ outcome }) => outcome === 'success');
  return (
    <>
      <Facts>
        {result.id !== null && (
          <Fact label="Id" mono action={<CopyButton value={result.id} label="Copy id" />}>
            <RawText value={result.id} max={120} />
          </Fact>
        )}
        {typeof status === 'string' && (
          <Fact label="Status">
            <RawText value={status} max={80} />, as it came with the answer
          </Fact>
        )}
        <Fact label="Answer">{answered?.status ?? 'not recorded'}</Fact>
        {result.requestId !== null && (
          <Fact label="Request id" mono>
            <RawText value={result.requestId} max={80} />
          </Fact>
        )}
        {answered?.replayed && (
          <Fact label="Replayed">The original answer, served again: nothing was carried out twice.</Fact>
        )}
      </Facts>
      <RawAnswer text={result.text} open />
    </>
  );
}
