import type { Operation } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { KIND } from '#src/lib/operations/kinds.ts';

/** An operation in a few words, as recorded: amount and short destination, asset and chain, delivery. */
export function What({ record }: { record: Operation }) {
  const { amount, asset, place } = KIND[record.kind].aboutOf(record);
  if (amount !== null) {
    return (
      <>
        <Amount value={amount} asset={asset ?? undefined} flow />
        {place !== null && (
          <>
            {' to '}
            <ShortId value={place} />
          </>
        )}
      </>
    );
  }
  if (place === null) return `a ${KIND[record.kind].one}`;
  return record.kind === 'deposit-address' ? <RawText value={place} max={60} /> : <ShortId value={place} />;
}
