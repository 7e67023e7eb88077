import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { useRowsRead } from '#src/list/useRowsRead.ts';
import { useKnownAddresses } from '#src/list/useKnownAddresses.ts';
import { useAddressBook } from '#src/remembered/addressBook.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { AddForm } from './AddForm.tsx';
import './address-book.css';
import { arrivalOf } from './arrival.ts';
import { Entries } from './Entries.tsx';
import { Import } from './Import.tsx';

export function Component() {
  const session = useSession();
  return session && <Book key={`${session.service} ${session.account}`} session={session} />;
}

/** What is to be added by hand: nothing typed yet, or what a form, a file or a withdrawal named. */
type Draft = Place & { name: string };

const NOTHING: Draft = { name: '', chain: '', address: '' };

function Book({ session }: { session: Session }) {
  const { state } = useLocation();
  const [arrival] = useState(() => arrivalOf(state));
  const { entries, kept, damaged } = useAddressBook(session.service);
  const rows = useRowsRead(session.account);
  const known = useKnownAddresses(session, rows);
  const [draft, setDraft] = useState<Draft | null>(arrival.add && { ...NOTHING, ...arrival.add });
  const [added, setAdded] = useState<string | null>(null);
  const start = (from: Draft) => {
    setAdded(null);
    setDraft(from);
  };
  return (
    <>
      <PageHeader
        title="Address book"
        asOf={<span>{entries.length === 1 ? '1 entry' : `${entries.length.toLocaleString('en')} entries`}</span>}
        actions={
          <Button icon={<Plus aria-hidden />} variant="primary" onClick={() => start(NOTHING)}>
            Add an address
          </Button>
        }
      />
      <div className="page-body">
        <div className="pad book">
          <Notice tone="plain" title="A convenience of this browser, not a security control.">
            Names are kept in this browser only: the service and your colleagues do not see them, and whoever can use
            this browser can change them. Compare an address with its source before you pay it.
          </Notice>
          {!kept && (
            <Notice tone="open" live="status" title="This browser does not keep it.">
              It refused to store the address book, so what you add here is gone when the page closes. Export it.
            </Notice>
          )}
          {damaged && (
            <Notice tone="open" title="An earlier address book could not be read.">
              It was set aside in this browser’s storage, and this one began empty.
            </Notice>
          )}
          {arrival.back && (
            <p className="acts-row">
              <Link className={buttonClass()} to={paths.newWithdrawal} state={{ prefill: arrival.back }}>
                Back to the withdrawal
              </Link>
              <span className="sub small">What was typed there is kept. Nothing was sent.</span>
            </p>
          )}
          {added !== null && (
            <Notice tone="plain" live="status" title="Added.">
              {added}
            </Notice>
          )}
          {draft && (
            <AddForm
              key={stringifyExact(draft)}
              session={session}
              known={known}
              rows={rows}
              draft={draft}
              onClose={(name) => {
                setDraft(null);
                setAdded(name);
              }}
            />
          )}
          <Import session={session} known={known} entries={entries} onByHand={start} />
          <Entries session={session} entries={entries} />
        </div>
      </div>
    </>
  );
}
