import type { ReactNode } from 'react';
import type { StateMark } from '#src/shared/operations/states.ts';
import { StateChip } from './Chip.tsx';

/** The status block, tinted by tone. Dim text is darkened, as it would be too faint on a tint. */
export function verdictClass(tone: string | undefined): string {
  return `verdict-${tone ?? 'plain'} grid gap-2 border-y border-[color:var(--tone-rule,var(--color-rule))] bg-[var(--tone-tint,var(--color-inset))] px-gutter pt-4 pb-5 [&_.acts-row]:pt-2 [&_.dim]:text-ink-2 [&_.facts]:max-w-184 [&_.facts_dt]:text-ink-2`;
}

export const statusTextClass = 'grid justify-items-start gap-2 [&_p]:max-w-184 [&_p]:text-lead';

interface LiveStatusProps {
  mark: StateMark;
  live?: 'status' | 'alert';
  calm?: boolean;
  children: ReactNode;
}

/** A chip and a sentence, announced when they change. `alert` interrupts the person, and is only for a contradicted payment. */
export function LiveStatus({ mark, live = 'status', calm = false, children }: LiveStatusProps) {
  return (
    <div role={live} className={calm ? 'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1' : statusTextClass}>
      <StateChip mark={mark} />
      <p>{children}</p>
    </div>
  );
}
