import { useRef, useState } from 'react';
import { paths } from '#src/lib/paths.ts';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { withdrawalRequest } from '#src/operations/kinds.ts';
import type { SameSend, StartResult } from '#src/operations/outcomes.ts';
import { useStartOperation } from '#src/operations/useStartOperation.ts';

interface Sending {
  send: (values: WithdrawalFields) => void;
  pending: boolean;
  /** Withdrawals to the same destination that a person has to see first. */
  earlier: readonly SameSend[];
  confirmed: boolean;
  setConfirmed: (confirmed: boolean) => void;
  /** Why nothing was recorded. */
  problem: string | null;
  /** Forgets what was asked and answered: other values are other questions. */
  reset: () => void;
}

/** Sending under the form's one key: at most one start at a time, and a second send only where a person said so. */
export function useSend(key: string, leaveFor: (path: string, state?: unknown) => void): Sending {
  const start = useStartOperation();
  const [earlier, setEarlier] = useState<readonly SameSend[]>([]);
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const underWay = useRef(false);

  const take = (result: StartResult) => {
    underWay.current = false;
    if (result.outcome === 'not-recorded') setProblem(result.reason);
    else if (result.outcome === 'second-send') {
      setEarlier((known) => [...known.filter(({ id }) => result.of.every((same) => same.id !== id)), ...result.of]);
      setConfirmed(false);
    } else leaveFor(paths.operation(result.id), result.outcome === 'existing' ? { instead: true } : null);
  };

  return {
    // Synchronous, before any await: a second click in the same moment finds it set.
    send: (values) => {
      if (underWay.current) return;
      underWay.current = true;
      setProblem(null);
      const secondSendOf = confirmed ? earlier.map(({ id }) => id) : [];
      start.mutate(withdrawalRequest(key, values, secondSendOf), {
        onSuccess: take,
        onError: (error) => take({ outcome: 'not-recorded', reason: error.message }),
      });
    },
    pending: start.isPending,
    earlier,
    confirmed,
    setConfirmed,
    problem,
    reset: () => {
      setEarlier([]);
      setConfirmed(false);
      setProblem(null);
    },
  };
}
