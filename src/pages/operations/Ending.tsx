import type { Operation } from '#src/lib/operations/record.ts';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { byWhom } from '#src/lib/operations/who.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';

/** How a person ended it: the typed reason, or the list in which it was absent. */
export function Ending({ record }: { record: Operation }) {
  const { ending } = record;
  if (!ending || (ending.by === 'discard' && ending.words === '')) return null;
  const at = <Time unix={Math.floor(ending.at / 1000)} />;
  if (ending.by !== 'absence') {
    return (
      <Facts>
        <Fact label="Reason">
          <RawText value={ending.words} max={600} />
        </Fact>
        <Fact label={ending.by === 'hand' ? 'Closed at' : 'Discarded at'}>
          {at}
          {byWhom(ending.who)}
        </Fact>
      </Facts>
    );
  }
  return (
    <Facts>
      <Fact label="Proof">
        Absent from the service’s list of withdrawals, complete from <Time unix={record.firstSent.service} /> to{' '}
        <Time unix={record.ended?.service} />, by the service’s clock
      </Fact>
      {ending.requestId !== null && (
        <Fact label="Request id" mono>
          <RawText value={ending.requestId} max={80} />
        </Fact>
      )}
      <Fact label="Confirmed at">
        {at}
        {byWhom(ending.who)}, typing “{ending.words}”
      </Fact>
    </Facts>
  );
}
