import { Check, Info, TriangleAlert } from 'lucide-react';
import { normalAddress } from '#src/lib/chains/names.ts';
import { readWithdrawalBody } from '#src/operations/body.ts';
import { mayHavePaid } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { Chunks } from '#src/ui/Chunks.tsx';
import type { useSeen } from './seen.ts';
import { useKnownChains } from './useKnownChains.ts';

interface AddressNotesProps {
  chain: string;
  address: string;
  seen: ReturnType<typeof useSeen>;
}

/** Read in fours, and what the check does and does not show. */
export function AddressNotes({ chain, address, seen }: AddressNotesProps) {
  const known = useKnownChains();
  const { operations } = useOperations();
  if (!known || chain === '') return null;
  const { verdict } = known.checkAddress(chain, address);
  if (verdict !== 'valid' && verdict !== 'unknown-chain') return null;
  const normal = normalAddress(chain, address);
  const paidBefore = operations.some((operation) => {
    const sent = mayHavePaid(operation) ? readWithdrawalBody(operation.body) : null;
    return sent !== null && normalAddress(sent.chain, sent.address) === normal;
  });
  return (
    <div>
      <Chunks value={address} />
      {verdict === 'valid' ? (
        <p className="msg sub">
          <Check className="icon-s" aria-hidden />
          <span>Well formed for {known.findChain(chain)?.name ?? chain}. That does not show whose it is.</span>
        </p>
      ) : (
        <p className="msg msg-open">
          <TriangleAlert className="icon-s" aria-hidden />
          <span>Nothing here can check an address of this chain. Compare every character with the source.</span>
        </p>
      )}
      {seen.isOwnDepositAddress(chain, address) && (
        <p className="msg msg-open">
          <TriangleAlert className="icon-s" aria-hidden />
          <span>This is one of this account’s own deposit addresses.</span>
        </p>
      )}
      {!paidBefore && (
        <p className="msg msg-open">
          <Info className="icon-s" aria-hidden />
          <span>First withdrawal to this address from this browser. Compare it with the source.</span>
        </p>
      )}
    </div>
  );
}
