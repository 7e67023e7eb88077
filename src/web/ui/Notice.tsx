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
  /** Announced as it appears or changes. */
  live?: boolean;
}

export function Notice({ tone, title, children, live = false }: NoticeProps) {
  const Icon = icons[tone];
  const ground = tone === 'plain' ? 'border-rule bg-inset' : 'border-(--tone-rule) bg-(--tone-tint)';
  // Screen readers ignore a live region that is added together with its text: show the text one frame later.
  const [isSaid, setIsSaid] = useState(!live);
  useEffect(() => {
    const soon = requestAnimationFrame(() => setIsSaid(true));
    return () => cancelAnimationFrame(soon);
  }, []);
  return (
    <div
      className={`note note-${tone} grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 gap-y-1 border p-3 text-small wrap-anywhere ${ground}`}
      role={live ? 'status' : undefined}
    >
      <Icon className={tone === 'plain' ? 'mt-0.5' : 'mt-0.5 text-(--tone)'} aria-hidden />
      <div className={isSaid ? undefined : 'invisible'}>
        {title && <b>{title} </b>}
        {children}
      </div>
    </div>
  );
}
