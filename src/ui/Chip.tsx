import type { ReactNode } from 'react';

export type ChipTone = 'proof' | 'motion' | 'open' | 'alarm' | 'raw' | 'plain';

interface ChipProps {
  tone: ChipTone;
  icon?: ReactNode;
  big?: boolean;
  children: ReactNode;
}

/** Icon and word. `raw` is for a word that nobody has seen before: dashed, in mono, cut only by ellipsis. */
export function Chip({ tone, icon, big = false, children }: ChipProps) {
  return (
    <span
      className={`st st-${tone}${big ? ' st-big' : ''}`}
      {...(tone === 'raw' && typeof children === 'string' ? { 'data-tip': children } : {})}
    >
      {icon}
      <bdi>{children}</bdi>
    </span>
  );
}
