import { BALANCE_EFFECT, statusMeaning } from '#src/api/statusMeaning.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact } from '#src/ui/Facts.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface StatusFactProps {
  of: 'deposit' | 'withdrawal';
  status: string | null;
}

/** A status as it came, and what the interface says about it. */
export function StatusFact({ of, status }: StatusFactProps) {
  return (
    <>
      <Fact label="Status" action={status !== null && <CopyButton value={status} label="Copy status" />}>
        {status !== null && (
          <span className="mono">
            <UntrustedText value={status} max={160} />
          </span>
        )}
        <span className="small sub block">{statusMeaning(of, status)}</span>
      </Fact>
      <Fact label="In balances">
        <span className="small sub">{BALANCE_EFFECT[of]}</span>
      </Fact>
    </>
  );
}
