import { OPERATION_STEPS, type OperationStep } from '#src/operations/ports.ts';
import { SettingsError } from './settings.ts';

const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;

/**
 * For crash tests: the process kills itself, uncatchably, whenever it reaches the step of an operation that
 * OPERATIONS_KILL_AT names; with `:SIGSTOP` after the name it freezes there.
 */
export function signalAt(text: string): (step: OperationStep) => void {
  const [name, signalName = SIGNALS[0]] = text.split(':');
  const chosen = OPERATION_STEPS.find((step) => step === name);
  const signal = SIGNALS.find((known) => known === signalName);
  if (chosen === undefined || signal === undefined)
    throw new SettingsError(`OPERATIONS_KILL_AT must be one of ${OPERATION_STEPS.join(', ')}.`);
  const act = () => void process.kill(process.pid, signal);
  return (step) => {
    if (step !== chosen) return;
    // The socket takes the bytes at the end of this turn.
    if (step === 'sent') setImmediate(act);
    else act();
  };
}
