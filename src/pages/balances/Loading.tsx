import { StillLoading } from '#src/list/StillLoading.tsx';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import { useDelay } from '#src/ui/useDelay.ts';

const accounts = ['first', 'second', 'third'];
const rows = ['Available', 'Pending', 'Locked', 'Total'];

/** The shape of what is being read, and only if reading takes long enough to notice. */
export function Loading() {
  const visibly = useDelay(true);
  const slow = useDelay(true, 2_000);
  return (
    <div className="page-body" aria-busy>
      <output className={slow ? 'block px-gutter pb-3 text-small text-ink-2' : 'vh'}>
        <StillLoading what="balances">{visibly && 'Loading balances…'}</StillLoading>
      </output>
      {visibly && (
        <div className="accts" aria-hidden>
          {accounts.map((account) => (
            <section className="acct" key={account}>
              <header className="flex items-baseline">
                <Skeleton width="3rem" />
              </header>
              <table className="sum">
                <tbody>
                  {rows.map((row) => (
                    <tr key={row} className={row === 'Total' ? 'tot' : undefined}>
                      <th scope="row">{row}</th>
                      <td>
                        <Skeleton width="9rem" />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
