import type { UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import { useCloseUnreadable } from '#src/web/api/operations/useOperations.ts';
import { stateMarkOf } from '#src/shared/operations/stateMark.ts';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { CloseByHand } from './EndDialogs.tsx';
import { LiveStatus } from '#src/web/ui/Verdict.tsx';
import { AllOperations, ExistingOperationNotice, StatePage } from './StatePage.tsx';

const WHY: Record<UnreadableOperation['why'], string> = {
  checksum: 'This record is damaged.',
  schema: 'This record is from another version.',
};

const UNREADABLE = { tone: 'open', icon: 'triangle', chip: 'Can’t be read' } as const;

/** A row that this version cannot read. It is never sent, and blocks duplicates until a person closes it. */
export function DamagedRecord({ unreadable }: { unreadable: UnreadableOperation }) {
  const { key, why, firstSentAt, closed } = unreadable;
  const close = useCloseUnreadable(key);
  return (
    <StatePage
      title="A record that can’t be read"
      tone={closed ? undefined : 'open'}
      above={<ExistingOperationNotice record={null} isResolved={closed !== null} />}
      below={
        <div className="pad">
          <Facts>
            <TextFact label="Key" mono value={key} max={80} />
            <Fact label="Recorded">{firstSentAt === null ? 'can’t be read' : <Time unix={firstSentAt} age />}</Fact>
          </Facts>
        </div>
      }
    >
      <LiveStatus mark={closed ? stateMarkOf({ state: 'closed' }) : UNREADABLE}>
        <b>{WHY[why]}</b>{' '}
        {closed
          ? 'It is never sent, and blocks nothing since it was closed.'
          : 'It can’t be sent, and the same can’t be sent again until it is closed.'}
      </LiveStatus>
      {closed ? (
        <Facts>
          <TextFact label="Reason" value={closed.words} max={600} />
          <Fact label="Closed at">
            <Time unix={Math.floor(closed.at / 1000)} />
          </Fact>
        </Facts>
      ) : (
        <p>Ask the provider what became of it, by its key, and close it with the provider’s word as the reason.</p>
      )}
      <div className="acts-row">
        {!closed && (
          <CloseByHand close={close}>
            After that, the same can be sent again. If this one was processed, it happens twice.
          </CloseByHand>
        )}
        <AllOperations quiet />
      </div>
    </StatePage>
  );
}
