import { WholeText } from './WholeText.tsx';

/** A request id, or that there was none. */
export function RequestId({ id }: { id: string | null }) {
  if (id === null) return 'none';
  return (
    <span className="mono">
      <WholeText text={id} most={200} />
    </span>
  );
}
