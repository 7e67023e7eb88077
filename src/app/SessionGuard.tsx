import { useEffect } from 'react';
import { type Location, Navigate, Outlet, useLocation } from 'react-router';
import { useMaybeSession, useSessionEnd } from '#src/api/session.ts';
import { startedAt } from '#src/api/operations/starts.ts';
import { paths } from '#src/lib/paths.ts';
import { forgetDrafts } from '#src/storage/drafts.ts';

/** Pages need a session; without one the way leads to sign-in and back to the same URL. */
export function SessionGuard() {
  const session = useMaybeSession();
  const end = useSessionEnd();
  const location = useLocation();
  useEffect(() => {
    if (end === 'signed-out') forgetDrafts();
  }, [end]);
  if (session === null) {
    // Who signs out leaves the place as well; who was signed out comes back to it.
    const next = end === 'signed-out' ? undefined : placeOf(location);
    // For each entry of the history anew: a form that just then steps back to its first entry takes the way to sign-in away.
    return <Navigate key={location.key} to={paths.signIn(next)} replace />;
  }
  // Another account is another set of pages: no form and no half-read list of the old one survives.
  return <Outlet key={`${session.service} ${session.account}`} />;
}

/** Where to come back to: the same URL, and from a form that was just sent its operation. */
function placeOf({ pathname, search, hash }: Location): string {
  const operation = startedAt(pathname);
  return operation === null ? pathname + search + hash : paths.operation(operation);
}
