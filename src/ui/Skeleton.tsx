/** A grey bar in the place of a value that is being read for the first time. */
export function Skeleton({ width = '7rem' }: { width?: string }) {
  return <span className="sk" style={{ width }} aria-hidden />;
}
