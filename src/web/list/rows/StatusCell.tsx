import { ArrowUpRight, CircleCheck, CircleDashed, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { knownStatus, type PaymentTone } from '#src/shared/paymentStatus.ts';
import { revealHidden } from '#src/shared/text.ts';
import { Chip } from '#src/web/ui/Chip.tsx';

const ICONS: Record<PaymentTone, LucideIcon> = { proof: CircleCheck, motion: Clock, alarm: CircleX };

interface StatusCellProps {
  status: string | null;
  /** Also shows the provider's word if ours differs: "Broadcast broadcasted". */
  withRaw?: boolean;
}

export function StatusCell({ status, withRaw = false }: StatusCellProps) {
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
    <>
      <Chip tone={known.tone} icon={<Icon aria-hidden />}>
        {known.word}
      </Chip>
      {withRaw && known.word.toLowerCase() !== status && (
        <span className="mono small sub" translate="no">
          {' '}
          {status}
        </span>
      )}
    </>
  );
}
