import { useMutation } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { leaveForProvider, readOidcResult } from '#src/web/api/people.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface OidcSignInProps {
  /** The identity provider's host. */
  host: string;
  /** The path to return to. */
  next: string;
}

export function OidcSignIn({ host, next }: OidcSignInProps) {
  const leaving = useMutation({ mutationFn: () => leaveForProvider({ next }) });
  const result = useOidcResult();
  return (
    <div className="grid gap-3">
      {result?.kind === 'refused' && <OidcRefusal message={result.message} />}
      {result?.kind === 'unknown' && (
        <div className="grid gap-3" role="alert">
          <Notice tone="open" title="You don’t have access yet.">
            You signed in at {host}, but nobody here has that account. Ask an admin of your team for an invite link.
          </Notice>
          <Facts>
            <Fact label={`Your ID at ${host}`}>
              <UntrustedText mono value={result.id} max={255} />
            </Fact>
          </Facts>
        </div>
      )}
      <CommandButton
        mutation={leaving}
        busy={`Opening ${host}…`}
        variant="primary"
        icon={<LogIn aria-hidden />}
        onPress={() => leaving.mutate()}
      >
        Sign in with {host}
      </CommandButton>
      <p className="dim small">First time here? Ask an admin of your team for an invite link.</p>
    </div>
  );
}

export function OidcRefusal({ message }: { message: string }) {
  return (
    <div role="alert">
      <Notice tone="open" title="You’re not signed in.">
        {message}
      </Notice>
    </div>
  );
}

/** The result of the last sign-in at the provider, which the server reports once. Null if there is none. */
export function useOidcResult() {
  // Not a query, whose cache is cleared when a session begins or ends.
  const { mutate, data } = useMutation({ mutationFn: readOidcResult });
  useEffect(() => mutate(), [mutate]);
  return data ?? null;
}
