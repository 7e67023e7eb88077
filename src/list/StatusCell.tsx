import { ArrowUpRight, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { visible } from '#src/lib/text.ts';
import { Chip, type ChipTone } from '#src/ui/Chip.tsx';

interface Look {
  word: string;
  tone: ChipTone;
  Icon: LucideIcon;
}

/** The look of words seen so far; nothing else depends on them, because the contract does not state the set. */
const looks = new Map<string, Look>([
  ['completed', { word: 'Completed', tone: 'proof', Icon: CircleCheck }],
  ['pending', { word: 'Pending', tone: 'motion', Icon: Clock }],
  ['broadcasted', { word: 'Broadcasted', tone: 'motion', Icon: ArrowUpRight }],
  ['failed', { word: 'Failed', tone: 'alarm', Icon: CircleX }],
]);

export const KNOWN_STATUSES: readonly string[] = [...looks.keys()];

/** A status as it came: known words with their look, any other one raw in a dashed chip. */
export function StatusCell({ status, big = false }: { status: string | null; big?: boolean }) {
  if (status === null) {
    return (
      <Chip tone="raw" big={big} icon={<CircleDashed aria-hidden />}>
        no status
      </Chip>
    );
  }
  const look = looks.get(status);
  if (!look) {
    return (
      <Chip tone="raw" big={big} icon={<CircleDashed aria-hidden />}>
        {visible(status.slice(0, 600))}
      </Chip>
    );
  }
  return (
    <Chip tone={look.tone} big={big} icon={<look.Icon aria-hidden />}>
      {look.word}
    </Chip>
  );
}
