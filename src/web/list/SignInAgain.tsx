import { ApiError } from '#src/web/api/errors.ts';
import { useSignInAgain } from '#src/web/api/signOut.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { CommandFault } from './CommandButton.tsx';

/** A sign-in button if an approval needs a more recent sign-in; nothing for other errors. */
export function SignInAgain({ error }: { error: Error | null }) {
  const { mutate, isPending, error: failure } = useSignInAgain();
  if (!(error instanceof ApiError && error.code === 'sign_in_again')) return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Button disabledReason={isPending ? 'Signing out…' : undefined} onClick={() => mutate()}>
        Sign in again
      </Button>
      {failure && <CommandFault error={failure} />}
    </div>
  );
}
