import type { OperationView } from '#src/operations/outcomes.ts';
import type { DamagedRecord } from '#src/operations/record.ts';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { Arrival } from './Arrival.tsx';
import { Said } from './Said.tsx';
import { SettleElsewhere } from './SettleElsewhere.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { chipOf } from '#src/operations/stateMark.ts';

const WHY: Record<DamagedRecord['why'], string> = {
  checksum: 'Its checksum does not match what was written.',
  schema: 'It is not what this app writes.',
  'newer-version': 'A newer version of this app wrote it: reload the page first.',
};

const SET_ASIDE = { tone: 'open', icon: 'triangle', chip: 'Set aside' } as const;

/** A record that storage gave back damaged: never sent, and holding its place until a person closes it. */
export function DamagedOperation({ damaged, view }: { damaged: DamagedRecord; view: OperationView }) {
  const { id, why, blocks, firstSentAt, closed } = damaged;
  return (
    <>
      <PageHeader title="A damaged record" />
      <div className="page-body">
        <Arrival />
        <section className={`verdict ${closed ? '' : 'verdict-open'}`} aria-label="State">
          <Said>
            <StateChip mark={closed ? chipOf({ state: 'closed' }) : SET_ASIDE} />
            <p>
              <b>This record of an operation cannot be trusted.</b> {WHY[why]} It is never sent
              {closed
                ? ', and holds nothing back since a person closed it.'
                : blocks === null
                  ? ', and it holds back every new withdrawal, because its destination cannot be read.'
                  : ', and it holds back whatever would do the same again.'}
            </p>
          </Said>
          {closed ? (
            <Facts>
              <Fact label="Reason">
                <RawText value={closed.words} max={600} />
              </Fact>
              <Fact label="Closed at">
                <Time unix={closed.date} />, by the service’s clock
              </Fact>
            </Facts>
          ) : (
            <ol className="dashes">
              <li>Ask the service what became of it: the evidence has what can still be read of its key and body.</li>
              <li>Save the evidence, and close it by hand with the service’s word as the reason.</li>
            </ol>
          )}
          <SettleElsewhere id={id} view={view}>
            What it holds back can be done again then: if this one was carried out, that does it twice.
          </SettleElsewhere>
        </section>
        <div className="pad">
          <Facts>
            <Fact label="Record" mono>
              <RawText value={id} max={80} />
            </Fact>
            <Fact label="First sent">{firstSentAt === null ? 'cannot be read' : <Time unix={firstSentAt} age />}</Fact>
          </Facts>
        </div>
      </div>
    </>
  );
}
