import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { signInWithPasskey } from '#src/web/api/people.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';

export function PasskeySignIn() {
  const signIn = useMutation({ mutationFn: signInWithPasskey });
  return (
    <div className="grid gap-3">
      <PasskeyButton
        mutation={signIn}
        onPress={() => signIn.mutate()}
        variant="primary"
        icon={<KeyRound aria-hidden />}
        cancelled="Cancelled. You’re not signed in."
      >
        Sign in with a passkey
      </PasskeyButton>
      <p className="dim small">
        No passkey yet? Ask an admin of your team for an invite link. Lost yours? Ask for a new one.
      </p>
    </div>
  );
}
