import { Info, TriangleAlert, UserCheck } from 'lucide-react';
import { chainLabel } from '#src/lib/chains/names.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { LastUse } from './LastUse.tsx';

/** What is known here of a recipient. */
export function RecipientNotes({ place, known: { known, ownDeposit, list } }: { place: Place; known: Known }) {
  const own = ownDeposit(place);
  const recipient = known.find(place);
  const elsewhere = known.elsewhere(place);
  return (
    <>
      {own && (
        <p className="msg msg-open">
          <TriangleAlert className="icon-s" aria-hidden />
          <span>
            This is one of this account’s own deposit addresses
            {own.at !== null && (
              <>
                , made here <Time unix={own.at} />
              </>
            )}
            . A withdrawal to it costs a fee and comes back as a deposit.
          </span>
        </p>
      )}
      {recipient && (
        <p className="msg sub">
          <UserCheck className="icon-s" aria-hidden />
          <span>
            {recipient.name !== null && (
              <>
                In the address book as “<UntrustedText value={recipient.name} max={120} />
                ”.{' '}
              </>
            )}
            {recipient.last ? <LastUse use={recipient.last} list={list} /> : 'No withdrawal to it is known yet.'}
          </span>
        </p>
      )}
      {!recipient && list.status === 'reading' && (
        <p className="msg sub">Looking for earlier withdrawals to this address</p>
      )}
      {!recipient && list.status !== 'reading' && (
        <p className="msg msg-open">
          <Info className="icon-s" aria-hidden />
          <span>
            First withdrawal to this address, as far as is known here. Compare it with the source.{' '}
            <span className="sub">Searched: {searched(list)}</span>
          </span>
        </p>
      )}
      {known.lookAlikes(place).map(({ chain, address, name }) => (
        <p className="msg msg-open" key={`${chain} ${address}`}>
          <TriangleAlert className="icon-s" aria-hidden />
          <span>
            It begins and ends like {name === null ? 'another known address' : <UntrustedText value={name} max={120} />}
            . Make sure that this is the one you mean.
          </span>
        </p>
      ))}
      {elsewhere.map(({ chain, name }) => (
        <p className="msg msg-open" key={chain}>
          <TriangleAlert className="icon-s" aria-hidden />
          <span>
            Known on {chainLabel(chain)}
            {name !== null && (
              <>
                {' '}
                as “<UntrustedText value={name} max={120} />”
              </>
            )}
            , not on {chainLabel(place.chain)}. Ask whether the recipient takes it there.
          </span>
        </p>
      ))}
    </>
  );
}

/** Where was looked, so that nobody takes "not known" for "never". */
function searched(list: Known['list']): string {
  const here = 'what was recorded here';
  if (list.status === 'not-offered') return `${here}; the service does not list withdrawals.`;
  if (list.status !== 'read') return `${here}; the service’s list was not readable.`;
  if (list.count === 0) return `${here}; the service lists no withdrawal.`;
  return `${here}, and the ${list.complete ? '' : 'latest '}${list.count} that the service lists.`;
}
