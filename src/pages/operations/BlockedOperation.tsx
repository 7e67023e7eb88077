import type { OperationView } from '#src/operations/outcomes.ts';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Time } from '#src/ui/Time.tsx';
import { Arrival } from './Arrival.tsx';
import { Said } from './Said.tsx';
import { SettleElsewhere } from './SettleElsewhere.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';

const HELD = { tone: 'open', icon: 'question', chip: 'Not settled, not shown here' } as const;
const OVER = { tone: 'plain', icon: 'dash', chip: 'Finished, not shown here' } as const;

interface BlockedOperationProps {
  id: string;
  view: OperationView;
  blocked: NonNullable<OperationView['blocked']>;
}

/** Another account's, or a lost key's: only when it was first sent is said, and how to settle it. */
export function BlockedOperation({ id, view, blocked }: BlockedOperationProps) {
  const { firstSentAt, unresolved } = blocked;
  return (
    <>
      <PageHeader
        title="Another account’s operation"
        asOf={
          <span>
            First sent <Time unix={firstSentAt} age />
          </span>
        }
      />
      <div className="page-body">
        <Arrival />
        <section className={`verdict ${unresolved ? 'verdict-open' : ''}`} aria-label="State">
          <Said>
            <StateChip mark={unresolved ? HELD : OVER} />
            <p>
              <b>Another account, or another API key, recorded this in this browser.</b>{' '}
              {unresolved
                ? 'Nobody has settled it, so it holds back whatever would do the same again. What it is and where it goes is not shown here.'
                : 'It is finished and holds nothing back. What it was is not shown here.'}
            </p>
          </Said>
          {unresolved && (
            <ol className="dashes">
              <li>
                Best: sign out, sign in with the API key that recorded it, and settle it there. It can be checked and
                sent again only by that key.
              </li>
              <li>
                If that key is lost: ask the service what became of it, save the evidence, and close it by hand with the
                service’s word as the reason.
              </li>
            </ol>
          )}
          <SettleElsewhere id={id} view={view}>
            What it holds back can be done again then: if this one was carried out, that does it twice.
          </SettleElsewhere>
        </section>
      </div>
    </>
  );
}
