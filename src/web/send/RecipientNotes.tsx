import { Info, TriangleAlert, UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted } from '#src/shared/text.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { knownStatus, toneOf } from '#src/shared/paymentStatus.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { tokenContractWarning } from '#src/shared/chains/tokenContracts.ts';
import { ageInWords } from '#src/shared/time.ts';
import type { AddressUse } from '#src/shared/operations/knownAddresses.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';

interface RecipientNotesProps {
  place: ChainAddress;
  known: AddressHistory;
  /** The asset to send, and the assets with a balance. */
  assets: readonly { asset: string }[];
  /** The page shows earlier payments from a newer read, so they are left out here. */
  earlierShown?: boolean;
}

export function RecipientNotes({
  place,
  known: { known, ownDeposit, list },
  assets,
  earlierShown,
}: RecipientNotesProps) {
  const contract = tokenContractWarning(place, assets);
  const own = ownDeposit(place);
  const recipient = known.find(place);
  return (
    <>
      {contract !== null && <Warning>{contract}</Warning>}
      {own && (
        <Warning>
          This is your own deposit address
          {own.at !== null && (
            <>
              , created here <Time unix={own.at} />
            </>
          )}
          . A withdrawal to yourself costs a fee and comes back as a deposit.
        </Warning>
      )}
      {recipient && (recipient.name !== null || !earlierShown) && (
        <p className="msg sub">
          <UserCheck className="icon-s" aria-hidden />
          <span>
            {recipient.name !== null && (
              <>
                Saved as “<UntrustedText value={recipient.name} max={120} />
                ”.{' '}
              </>
            )}
            {!earlierShown && (recipient.last ? <LastUse use={recipient.last} list={list} /> : 'Never paid before.')}
          </span>
        </p>
      )}
      {!recipient && list.status === 'reading' && (
        <p className="msg sub">Checking for earlier payments to this address…</p>
      )}
      {!recipient && list.status !== 'reading' && !earlierShown && (
        <Warning Icon={Info}>First payment to this address ({searchScope(list)}). Compare it with the invoice.</Warning>
      )}
      {known.lookAlikes(place).map(({ chain, address, name }) => (
        <Warning key={`${chain} ${address}`}>
          It begins and ends like {name === null ? 'another known address' : <UntrustedText value={name} max={120} />}.
          Make sure that this is the one you mean.
        </Warning>
      ))}
      {!recipient &&
        known.elsewhere(place).map(({ chain, name }) => (
          <Warning key={chain}>
            Known on {chainLabel(chain)}
            {name !== null && (
              <>
                {' '}
                as “<UntrustedText value={name} max={120} />”
              </>
            )}
            , not on {chainLabel(place.chain)}. Ask whether the recipient takes it there.
          </Warning>
        ))}
    </>
  );
}

function Warning({ Icon = TriangleAlert, children }: { Icon?: typeof TriangleAlert; children: ReactNode }) {
  return (
    <p className="msg msg-open">
      <Icon className="icon-s" aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** The latest withdrawal to an address. Says "paid" only if its status proves it. */
export function LastUse({ use, list }: { use: AddressUse; list: AddressHistory['list'] }) {
  const { at, amount, asset, status } = use;
  const now = useNowByService(list.status === 'read' ? list : { date: null, readAt: 0 });
  return (
    <>
      {toneOf(status) === 'proof' ? 'Last paid' : 'Last payment'}
      {at !== null && <span data-tip-unix={at}> {ageInWords(at, now)}</span>}:{' '}
      {amount !== null && (
        <>
          <Amount value={amount} asset={asset ?? undefined} flow />,{' '}
        </>
      )}
      <UntrustedText value={knownStatus(status)?.word.toLowerCase() ?? status ?? 'no status'} max={60} />.
    </>
  );
}

/** Says what was searched, so that "not found" isn't read as "never paid". */
function searchScope(list: AddressHistory['list']): string {
  const here = 'checked: what was sent from here';
  if (list.status === 'not-offered') return `${here}; the provider lists no withdrawals`;
  if (list.status !== 'read') return `${here}; the provider’s list couldn’t be loaded`;
  if (list.count === 0) return 'no past withdrawals at the provider';
  return `${list.complete ? '' : 'latest '}${counted(list.count, 'past withdrawal', 'past withdrawals')} checked`;
}
