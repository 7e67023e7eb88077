import { Skeleton } from '#src/ui/Skeleton.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import './list.css';

const rows = [7, 9, 6, 11, 7, 8, 9, 6, 10, 7, 9, 8].map((width, at) => ({ at, amount: `${width}rem` }));

/** The shape of a list that is being read for the first time, and only if that takes long enough to notice. */
export function ListSkeleton({ noun }: { noun: { many: string } }) {
  const slow = useDelay(true);
  return (
    <div className="list-scroll" aria-busy>
      <output className="vh">{slow && `Reading the ${noun.many}`}</output>
      {slow && (
        <div aria-hidden>
          <div className="list-head-row skeleton-row" />
          {rows.map(({ at, amount }) => (
            <div key={at} className="skeleton-row">
              <Skeleton width="7rem" />
              <Skeleton width="5rem" />
              <Skeleton width={amount} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
