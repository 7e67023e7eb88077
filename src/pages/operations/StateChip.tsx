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
import { Chip } from '#src/ui/Chip.tsx';
import type { StateMark } from '#src/operations/stateMark.ts';

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

export function StateChip({ verdict, big = true }: { verdict: StateMark; big?: boolean }) {
  const Icon = icons[verdict.icon];
  return (
    <Chip tone={verdict.tone} icon={<Icon aria-hidden />} big={big}>
      {verdict.chip}
    </Chip>
  );
}
