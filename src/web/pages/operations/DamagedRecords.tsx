import type { UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import { useCloseUnreadable } from '#src/web/api/operations/useOperations.ts';
import { chipOf } from '#src/shared/operations/stateMark.ts';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { CloseByHand } from './EndDialogs.tsx';
import { AllOperations, ExistingOperationNotice, LiveStatus, StatePage } from './StatePage.tsx';

const WHY: Record<UnreadableOperation['why'], string> = {
  checksum: 'Its checksum does not match what was written.',
  schema: 'It is not what this version writes.',
};

const UNREADABLE = { tone: 'open', icon: 'triangle', chip: 'Cannot be read' } as const;

/** A row that this version cannot read. It is never sent, and blocks duplicates until a person closes it. */
export function DamagedRecord({ unreadable }: { unreadable: UnreadableOperation }) {
  const { key, why, firstSentAt, closed } = unreadable;
  const close = useCloseUnreadable(key);
  return (
    <StatePage
      title="A record that cannot be read"
      tone={closed ? undefined : 'open'}
      above={<ExistingOperationNotice />}
      below={
        <div className="pad">
          <Facts>
            <TextFact label="Key" mono value={key} max={80} />
            <Fact label="First sent">{firstSentAt === null ? 'cannot be read' : <Time unix={firstSentAt} age />}</Fact>
          </Facts>
        </div>
      }
    >
      <LiveStatus mark={closed ? chipOf({ state: 'closed' }) : UNREADABLE}>
        <b>This record of an operation cannot be trusted.</b> {WHY[why]} It is never sent
        {closed
          ? ', and holds nothing back since a person closed it.'
          : ', and it holds back whatever would do the same again.'}
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
            What it holds back can be done again then: if this one was processed, that does it twice.
          </CloseByHand>
        )}
        <AllOperations quiet />
      </div>
    </StatePage>
  );
}
