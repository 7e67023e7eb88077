import { Ban, CircleCheck, CircleQuestionMark, CircleX, Clock, WifiOff } from 'lucide-react';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { Chip } from '#src/ui/Chip.tsx';
import { outcomeWords } from '#src/api/errors.ts';
import { outcomeOf } from './outcome.ts';

/** How a call ended, or that it runs. Its colour is about the call; what became of the money its operation says. */
export function OutcomeChip({ record }: { record: RequestRecord }) {
  const words = outcomeWords(record);
  if (record.outcome === 'running') {
    return (
      <Chip tone="motion" icon={<Clock aria-hidden />}>
        {words}
      </Chip>
    );
  }
  if (record.outcome === 'aborted' || record.outcome === 'offline') {
    const Icon = record.outcome === 'offline' ? WifiOff : Ban;
    return (
      <Chip tone="plain" icon={<Icon aria-hidden />}>
        {words}
      </Chip>
    );
  }
  const kind = outcomeOf(record);
  if (kind === '2xx') {
    return (
      <Chip tone="plain" icon={<CircleCheck aria-hidden />}>
        {words}
      </Chip>
    );
  }
  return kind === 'none' || kind === null ? (
    <Chip tone="open" icon={<CircleQuestionMark aria-hidden />}>
      {words}
    </Chip>
  ) : (
    <Chip tone="alarm" icon={<CircleX aria-hidden />}>
      {words}
    </Chip>
  );
}
