import { Ban, CircleCheck, CircleQuestionMark, CircleX, Clock, type LucideIcon, WifiOff } from 'lucide-react';
import { outcomeWords } from '#src/api/errors.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { Chip, type ChipTone } from '#src/ui/Chip.tsx';
import { outcomeOf } from './calls.ts';

/** How a call ended, or that it runs. Its colour is about the call; what became of the money its operation says. */
export function OutcomeChip({ record }: { record: RequestRecord }) {
  const [tone, Icon] = lookOf(record);
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {outcomeWords(record)}
    </Chip>
  );
}

function lookOf(record: RequestRecord): [ChipTone, LucideIcon] {
  if (record.outcome === 'running') return ['motion', Clock];
  if (record.outcome === 'aborted') return ['plain', Ban];
  if (record.outcome === 'offline') return ['plain', WifiOff];
  const kind = outcomeOf(record);
  if (kind === '2xx') return ['plain', CircleCheck];
  return kind === 'none' || kind === null ? ['open', CircleQuestionMark] : ['alarm', CircleX];
}
