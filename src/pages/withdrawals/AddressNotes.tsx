import { Check, TriangleAlert } from 'lucide-react';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { RecipientNotes } from './RecipientNotes.tsx';
import { useKnownChains } from '#src/case-file/ExplorerLink.tsx';

/** Read in fours, and what the check does and does not show. */
export function AddressNotes({ place, known }: { place: Place; known: Known }) {
  const chains = useKnownChains();
  const { chain, address } = place;
  if (!chains || chain === '') return null;
  const { verdict } = chains.checkAddress(chain, address);
  if (verdict !== 'valid' && verdict !== 'unknown-chain') return null;
  return (
    <div className="[&_.chunks]:max-w-none [&_.chunks]:text-small">
      <GroupedAddress value={address} />
      <div role="status">
        {verdict === 'valid' ? (
          <p className="msg sub">
            <Check className="icon-s" aria-hidden />
            <span>Well formed for {chains.findChain(chain)?.name ?? chain}. That does not show whose it is.</span>
          </p>
        ) : (
          <p className="msg msg-open">
            <TriangleAlert className="icon-s" aria-hidden />
            <span>Nothing here can check an address of this chain. Compare every character with the source.</span>
          </p>
        )}
        <RecipientNotes place={place} known={known} />
      </div>
    </div>
  );
}
