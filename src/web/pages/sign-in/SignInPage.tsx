import { can } from '#src/web/api/permissions.ts';
import { useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { useMaybeSession, useSessionEnd } from '#src/web/api/session.ts';
import { readLocationState } from '#src/web/storage/locationState.ts';
import { nextPath, paths } from '#src/shared/paths.ts';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { moneyLabel, readGateway } from './gateway.ts';
import { DemoSignIn } from './DemoSignIn.tsx';
import { KeyForm } from './KeyForm.tsx';
import { OidcSignIn } from './OidcSignIn.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { SignInFrame } from './SignInFrame.tsx';

export function Component() {
  const session = useMaybeSession();
  const end = useSessionEnd();
  const [search] = useSearchParams();
  const { endedOn } = readLocationState(useLocation().state);
  const [gateway] = useState(readGateway);
  useDocumentTitle('Sign in');
  const next = nextPath(search.get('next'));
  if (session) return <Navigate to={can(session, 'read') ? next : paths.operations} replace />;
  return (
    <SignInFrame>
      <div>
        {/* Focused only after a session ended, so that a screen reader announces the page change. */}
        <h1 ref={end === 'none' ? null : focusOnMount} tabIndex={-1}>
          Sign in
        </h1>
        {gateway && (
          <p className="sub">
            <bdi>{moneyLabel(gateway)}</bdi>
            {gateway.readOnly && ', read only'}
          </p>
        )}
      </div>
      {(end === 'expired' || end === 'key-refused') && (
        <Notice
          tone="open"
          title={end === 'expired' ? 'Your session ended.' : 'The provider no longer accepts this API key.'}
        >
          {end === 'expired' ? 'Sign in' : 'Sign in with another key'} to{' '}
          {next === '/' ? 'continue' : `return to ${endedOn ?? 'where you were'}`}.
        </Notice>
      )}
      {gateway?.signIn === 'oidc' ? (
        <OidcSignIn host={gateway.provider ?? ''} next={next} />
      ) : gateway?.signIn === 'passkey' ? (
        <>
          {gateway.demo.length > 0 && <DemoSignIn team={gateway.demo} />}
          <PasskeySignIn />
        </>
      ) : (
        <KeyForm gateway={gateway} />
      )}
    </SignInFrame>
  );
}
