import {
  CircleCheck,
  CircleDot,
  CircleMinus,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Send,
  TriangleAlert,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';

export type ChipTone = 'proof' | 'motion' | 'open' | 'alarm' | 'raw' | 'plain';

interface ChipProps {
  tone: ChipTone;
  icon: ReactNode;
  big?: boolean;
  children: ReactNode;
}

/** The tone `raw` is for unknown values: dashed, in mono, cut only by an ellipsis. */
export function Chip({ tone, icon, big = false, children }: ChipProps) {
  const words = typeof children === 'string' ? children : '';
  const [first] = useState(words);
  const isNew = words !== first;
  return (
    // Other words get another element, so that they appear with an animation.
    <span
      key={words}
      className={`st st-${tone}${big ? ' st-big' : ''}${isNew ? ' came' : ''}`}
      data-tip={tone === 'raw' ? children : undefined}
    >
      {icon}
      <bdi translate={tone === 'raw' ? 'no' : undefined}>{children}</bdi>
    </span>
  );
}

const icons = {
  dot: CircleDot,
  plane: Send,
  question: CircleQuestionMark,
  check: CircleCheck,
  cross: CircleX,
  slash: CircleSlash,
  dash: CircleMinus,
  triangle: TriangleAlert,
} as const;

interface StateChipProps {
  mark: { tone: ChipTone; icon: keyof typeof icons; chip: string };
  big?: boolean;
}

export function StateChip({ mark, big = true }: StateChipProps) {
  const Icon = icons[mark.icon];
  return (
    <Chip tone={mark.tone} icon={<Icon aria-hidden />} big={big}>
      {mark.chip}
    </Chip>
  );
}
