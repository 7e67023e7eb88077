import type { OperationKind } from '#src/lib/operations/kind.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { KIND } from '#src/lib/operations/kinds.ts';

/** An operation in a few words, as recorded: amount and short destination, asset and chain, delivery. */
export function OperationSummary({ record }: { record: Operation }) {
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
  return place === null ? `a ${KIND[record.kind].one}` : <PlaceText kind={record.kind} place={place} max={60} />;
}

/** Where an operation goes, in a column or a line. */
export function PlaceText({ kind, place, max }: { kind: OperationKind; place: string; max: number }) {
  return KIND[kind].placeIs === 'words' ? <RawText value={place} max={max} /> : <ShortId value={place} />;
}
