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
import { Chip, type ChipTone } from './Chip.tsx';

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

/** A state as icon and word. */
export function StateChip({ mark, big = true }: StateChipProps) {
  const Icon = icons[mark.icon];
  return (
    <Chip tone={mark.tone} icon={<Icon aria-hidden />} big={big}>
      {mark.chip}
    </Chip>
  );
}
