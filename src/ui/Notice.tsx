import { CircleCheck, CircleQuestionMark, Clock, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

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
  // A live region that comes together with its words is not heard: they follow it by a moment, in the room they take.
  const [isSaid, setIsSaid] = useState(live !== 'status');
  useEffect(() => {
    const soon = requestAnimationFrame(() => setIsSaid(true));
    return () => cancelAnimationFrame(soon);
  }, []);
  return (
    <div className={`note note-${tone}`} role={live}>
      <Icon aria-hidden />
      <div className={isSaid ? undefined : 'invisible'}>
        {title && <b>{title} </b>}
        {children}
      </div>
    </div>
  );
}
