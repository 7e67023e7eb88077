import { rawOf } from '#src/api/schemas.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { WholeText } from './WholeText.tsx';

const MOST = 20_000;

/** The record as JSON, as the service sent it. */
export function CaseRaw({ row }: { row: object }) {
  const hidden = useAmountsHidden();
  return (
    <section aria-label="Raw JSON">
      <h2>Raw JSON</h2>
      {hidden ? (
        <p className="small sub">Hidden, as amounts are.</p>
      ) : (
        <div className="font-mono text-small whitespace-pre-wrap">
          <WholeText text={stringifyExact(rawOf(row), 2)} most={MOST} />
        </div>
      )}
    </section>
  );
}
