import { CircleCheck, CircleQuestionMark, Clock, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type NoticeTone = 'open' | 'alarm' | 'proof' | 'motion' | 'plain';

const icons = {
  open: CircleQuestionMark,
  alarm: TriangleAlert,
  proof: CircleCheck,
  motion: Clock,
  plain: Info,
} as const;

interface NoticeProps {
  tone: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
  /** Announced as it appears or changes; `alert` interrupts and is for a contradicted payment alone. */
  live?: 'status' | 'alert';
}

export function Notice({ tone, title, children, live }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`note note-${tone}`} role={live}>
      <Icon aria-hidden />
      <div>
        {title && <b>{title} </b>}
        {children}
      </div>
    </div>
  );
}
