import { type Start } from '#src/api/startOperation.ts';
import { useDiscard } from '#src/api/useOperations.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { Button } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { useNow } from '#src/ui/useNow.ts';
import './operations.css';

const RECORDING = { tone: 'motion', icon: 'plane', chip: 'Recording' } as const;

/** An answer that takes longer than this is worth words; milliseconds. */
const SLOW_MS = 2_000;

/** A request on its way to the server: neither recorded nor not, as far as this page knows. */
export function Recording({ start }: { start: Start }) {
  const slow = useDelay(true, SLOW_MS);
  const { key, kind, notAfter, failure } = start;
  return (
    <>
      <PageHeader title={`Recording a ${KIND[kind].one}`} />
      <div className="page-body">
        <section className="verdict verdict-motion" aria-label="State">
          <StateChip mark={RECORDING} />
          <p>The server records it before it sends anything.</p>
          {slow && (
            <NoRecordYet address={key} until={notAfter} failure={failure}>
              This page asks again for as long as it is open.
            </NoRecordYet>
          )}
        </section>
      </div>
    </>
  );
}

interface NoRecordYetProps {
  /** The operation's key. */
  address: string;
  /** Unix milliseconds: no copy of the request is recorded that arrives later. */
  until: number;
  /** Why the last time of asking brought nothing. */
  failure: string | null;
  children?: React.ReactNode;
}

/** What is known while there is no record: nothing, but until when one may appear, and how to make sure that none does. */
export function NoRecordYet({ address, until, failure, children }: NoRecordYetProps) {
  const discard = useDiscard(address);
  const isOver = useNow(1) > until / 1000;
  const at = <Time unix={Math.ceil(until / 1000)} />;
  return (
    <>
      <output className="said">
        <p>
          <b>No record yet.</b>{' '}
          {isOver ? (
            <>It should have arrived by {at}. Discard it to be certain.</>
          ) : (
            <>It may still arrive until {at}.</>
          )}
        </p>
      </output>
      <p className="small sub">
        {failure} {children}
      </p>
      <div className="acts-row">
        <Button
          disabledReason={discard.isPending ? 'Asking the server' : undefined}
          onClick={() => discard.mutate(undefined)}
        >
          Discard
        </Button>
      </div>
      <output className={discard.error ? 'msg msg-alarm' : 'vh'}>
        {discard.error && `Not discarded. ${discard.error.message}`}
      </output>
    </>
  );
}
