import { CircleCheck, CircleQuestionMark, Clock, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from './announce.tsx';

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
  const box = useRef<HTMLDivElement>(null);
  // A live region that comes together with its words is not heard: they are said by the one that is there already.
  useEffect(() => {
    if (live === 'status') announce(box.current?.textContent ?? '');
  }, [live]);
  return (
    <div className={`note note-${tone}`} role={live} ref={box}>
      <Icon aria-hidden />
      <div>
        {title && <b>{title} </b>}
        {children}
      </div>
    </div>
  );
}
