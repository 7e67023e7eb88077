import { useRef, useState } from 'react';
import type { SameSend, StartRequest, StartResult } from './outcomes.ts';
import { useStartOperation } from './useStartOperation.ts';

interface Sending {
  /** `make` gets the ids of the earlier ones that the person saw and confirmed. */
  send: (make: (secondSendOf: string[]) => StartRequest) => void;
  pending: boolean;
  /** Earlier operations for the same place, which a person has to see first. */
  earlier: readonly SameSend[];
  confirmed: boolean;
  setConfirmed: (confirmed: boolean) => void;
  /** Why nothing was recorded. */
  problem: string | null;
  /** Forgets what was asked and answered: other values are other questions. */
  reset: () => void;
}

/**
 * Sending under a form's one key: at most one start at a time, and a second send only where a person said so.
 * `onRecorded`: where the operation is; `instead`: an unsettled one that holds the place, and nothing new was recorded.
 */
export function useSending(onRecorded: (id: string, instead: boolean) => void): Sending {
  const start = useStartOperation();
  const [earlier, setEarlier] = useState<readonly SameSend[]>([]);
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const underWay = useRef(false);

  const take = (result: StartResult) => {
    // Once recorded the form is left, and takes no more clicks.
    if (result.outcome === 'started' || result.outcome === 'existing') {
      onRecorded(result.id, result.outcome === 'existing');
      return;
    }
    underWay.current = false;
    if (result.outcome === 'not-recorded') setProblem(result.reason);
    else {
      setEarlier((known) => [...known.filter(({ id }) => result.of.every((same) => same.id !== id)), ...result.of]);
      setConfirmed(false);
    }
  };

  return {
    // Synchronous, before any await: a second click in the same moment finds it set.
    send: (make) => {
      if (underWay.current) return;
      underWay.current = true;
      setProblem(null);
      start.mutate(make(confirmed ? earlier.map(({ id }) => id) : []), {
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
