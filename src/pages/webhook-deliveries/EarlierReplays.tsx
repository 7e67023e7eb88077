import { useId } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { SameSend } from '#src/operations/outcomes.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';

interface EarlierReplaysProps {
  earlier: readonly SameSend[];
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** The step before the same delivery is replayed again: the earlier replays are shown, and the answer is a person's. */
export function EarlierReplays({ earlier, confirmed, onConfirm }: EarlierReplaysProps) {
  const id = useId();
  return (
    <Notice tone="open" live="status" title="This delivery was replayed before.">
      Nothing new was recorded or sent. Replayed from this browser:
      <ul className="earlier">
        {earlier.map((same) => (
          <li key={same.id}>
            <Earlier same={same} />
          </li>
        ))}
      </ul>
      <label className="check" htmlFor={id}>
        <input id={id} type="checkbox" checked={confirmed} onChange={(event) => onConfirm(event.target.checked)} />
        <span>I have seen {earlier.length === 1 ? 'it' : 'them'}. Replay this delivery once more.</span>
      </label>
    </Notice>
  );
}

function Earlier({ same }: { same: SameSend }) {
  if (same.foreign) return <>One that another account recorded in this browser. Its details are not shown.</>;
  return (
    <>
      <Time unix={same.createdAt} age />
      {same.status === 'succeeded' ? ', accepted by the service, ' : ', closed by hand with its outcome open, '}
      <Link to={paths.operation(same.id)} target="_blank" rel="noopener noreferrer">
        <ShortId value={same.id} />
      </Link>
    </>
  );
}
