import { ArrowUpRight, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { knownStatus, type PaymentTone } from '#src/shared/paymentStatus.ts';
import { revealHidden } from '#src/shared/text.ts';
import { Chip } from '#src/web/ui/Chip.tsx';

const ICONS: Record<PaymentTone, LucideIcon> = { proof: CircleCheck, motion: Clock, alarm: CircleX };

export function StatusCell({ status }: { status: string | null }) {
  const known = knownStatus(status);
  if (!known) {
    return (
      <Chip tone="raw" icon={<CircleDashed aria-hidden />}>
        {status === null ? 'no status' : revealHidden(status.slice(0, 600))}
      </Chip>
    );
  }
  const Icon = known.isBroadcast ? ArrowUpRight : ICONS[known.tone];
  return (
    <Chip tone={known.tone} icon={<Icon aria-hidden />}>
      {known.word}
    </Chip>
  );
}
