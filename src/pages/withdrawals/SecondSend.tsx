import { useId } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { ageInWords, isPlausibleTime } from '#src/lib/time.ts';
import { browserOperations } from '#src/operations/browser.ts';
import type { SameSend } from '#src/operations/outcomes.ts';
import { useServiceNow } from '#src/operations/useServiceNow.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';

interface SecondSendProps {
  earlier: readonly SameSend[];
  asset: string;
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** The step before paying the same destination again: the earlier ones are shown, and the answer is a person's. */
export function SecondSend({ earlier, asset, confirmed, onConfirm }: SecondSendProps) {
  const id = useId();
  return (
    <Notice tone="open" live="status" title="A withdrawal to this destination was made a short while ago.">
      Nothing new was recorded or sent. Same asset, chain and address:
      <ul className="earlier">
        {earlier.map((same) => (
          <li key={same.id}>
            <Earlier same={same} asset={asset} />
          </li>
        ))}
      </ul>
      <label className="check" htmlFor={id}>
        <input id={id} type="checkbox" checked={confirmed} onChange={(event) => onConfirm(event.target.checked)} />
        <span>I have seen {earlier.length === 1 ? 'it' : 'them'}. This is another withdrawal, to be sent as well.</span>
      </label>
    </Notice>
  );
}

function Earlier({ same, asset }: { same: SameSend; asset: string }) {
  if (same.foreign) return <>One of another account, or one that cannot be read. Its details are not shown.</>;
  const to = same.source === 'journal' ? paths.operation(same.id) : paths.withdrawal(same.id);
  return (
    <>
      {same.amount === null ? 'An amount that cannot be read' : <Amount value={same.amount} asset={asset} flow />}
      {same.createdAt !== null && <When unix={same.createdAt} />},{' '}
      {same.source === 'journal' ? 'recorded here: ' : 'listed by the service: '}
      <RawText value={same.status ?? 'no status'} max={60} />,{' '}
      <Link to={to} target="_blank" rel="noopener noreferrer">
        <ShortId value={same.id} />
      </Link>
    </>
  );
}

/** By the service's clock on both sides, for a device set wrong would make an hour of a minute. */
function When({ unix }: { unix: number }) {
  const { now, serviceNow } = useServiceNow(browserOperations());
  return (
    <>
      , {isPlausibleTime(unix) && <b>{ageInWords(unix, serviceNow ?? now / 1000)}</b>} (<Time unix={unix} />)
    </>
  );
}
