import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useMaybeSession, useSessionEnd } from '#src/api/session.ts';
import { nextPath, paths } from '#src/lib/paths.ts';
import { useDocumentTitle } from '#src/ui/documentTitle.ts';
import { focusOnMount } from '#src/ui/focusOnMount.ts';
import { Mark } from '#src/ui/Mark.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { moneyOf, readGateway } from './gateway.ts';
import { KeyForm } from './KeyForm.tsx';
import { Promises } from './Promises.tsx';
import './sign-in.css';

export function Component() {
  const session = useMaybeSession();
  const end = useSessionEnd();
  const [search] = useSearchParams();
  const [gateway] = useState(readGateway);
  useDocumentTitle('Sign in');
  const next = nextPath(search.get('next'));
  if (session) return <Navigate to={session.journal_only ? paths.operations : next} replace />;
  return (
    <div className="gate">
      <section className="gate-left" aria-label="What Countinghouse promises">
        <p className="brand">
          <Mark />
          Countinghouse
        </p>
        <Promises />
        <p className="dim small">
          Countinghouse is a view of the payments service. The service holds the truth and the money.
        </p>
      </section>
      <main className="gate-right">
        <p className="brand only-narrow">
          <Mark />
          Countinghouse
        </p>
        <div className="mid">
          <div>
            {/* Who was inside and is not any more hears where that led; a first page takes no focus. */}
            <h1 ref={end === 'none' ? null : focusOnMount} tabIndex={-1}>
              Sign in
            </h1>
            {gateway && (
              <p className="sub">
                <bdi>{moneyOf(gateway)}</bdi>
                {gateway.readOnly && ', read only'}
              </p>
            )}
          </div>
          {end === 'expired' && (
            <Notice tone="open" title="The session has ended.">
              {next === '/' ? 'Sign in to go on.' : <ReturnTo next={next} />}
            </Notice>
          )}
          <KeyForm gateway={gateway} />
        </div>
      </main>
    </div>
  );
}

function ReturnTo({ next }: { next: string }) {
  return (
    <>
      Signing in leads back to{' '}
      <span className="mono">
        <RawText value={next} max={60} />
      </span>
    </>
  );
}
