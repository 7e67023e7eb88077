import { Link } from 'react-router';
import type { SandboxFault } from '#src/api/sandboxControls.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import type { Step } from './Steps.tsx';
import type { Control } from './useControl.tsx';
import type { Rehearsal } from './useRehearsal.ts';

/** Ethereum, because anybody's twenty bytes are an address there. */
const AMOUNT = { asset: 'ETH', chain: 'ethereum', amount: '0.01' };

/** What every rehearsal with a withdrawal begins with: a fault, a withdrawal, and a page that does not know. */
export function sendingSteps(
  rehearsal: Rehearsal,
  control: Control,
  of: { fault: SandboxFault; armed: string; unconfirmed: string },
): Step[] {
  const { progress, operation, arm } = rehearsal;
  const prefill = { ...AMOUNT, address: progress?.address ?? '' };
  return [
    {
      id: 'arm',
      text: of.armed,
      done: progress !== null,
      act: (
        <Button
          variant="primary"
          disabledReason={control.busy ? 'Starting…' : undefined}
          reasonHidden
          onClick={() =>
            control.run(async () => {
              await arm(of.fault);
              return 'Added for the next withdrawal. Earlier failures are cleared.';
            })
          }
        >
          Start
        </Button>
      ),
    },
    {
      id: 'send',
      text: 'Send a withdrawal: review it, then send it. The form opens filled in; the address is made up, and nobody’s.',
      done: operation !== null,
      act: progress && (
        <Link className={buttonClass('primary')} to={paths.newWithdrawal} state={locationState({ prefill })}>
          Open the form
        </Link>
      ),
    },
    {
      id: 'unconfirmed',
      text: of.unconfirmed,
      done: operation?.attempts.some(({ outcome }) => outcome === 'no-answer') === true,
      act: operation && <OpenOperation rehearsal={rehearsal} />,
    },
  ];
}

export function OpenOperation({ rehearsal: { operation } }: { rehearsal: Rehearsal }) {
  if (operation === null) return null;
  return (
    <Link className={buttonClass()} to={paths.operation(operation.key)}>
      Open the operation
    </Link>
  );
}
