import { useMutation } from '@tanstack/react-query';
import { rolesOf } from '#src/shared/permissions.ts';
import { listInWords } from '#src/shared/text.ts';
import { signInToDemo } from '#src/web/api/session.ts';
import { Button } from '#src/web/ui/Button.tsx';
import type { Gateway } from './gateway.ts';

/** Sign-in as one of the sandbox's people with one click, so that anyone can try each role. */
export function DemoSignIn({ team }: { team: Gateway['demo'] }) {
  const signIn = useMutation({ mutationFn: signInToDemo });
  return (
    <section className="grid gap-3" aria-label="Demo team">
      <p>Try it as one of four people, each with another role.</p>
      <div className="grid grid-cols-2 gap-2">
        {team.map(({ id, name, permissions }) => (
          <Button
            key={id}
            disabledReason={signIn.isPending ? 'Signing in' : undefined}
            reasonHidden
            onClick={() => signIn.mutate(id)}
          >
            {name}, {listInWords(rolesOf(permissions))}
          </Button>
        ))}
      </div>
      {signIn.error && (
        <p role="alert" className="text-alarm">
          {signIn.error.message}
        </p>
      )}
    </section>
  );
}
