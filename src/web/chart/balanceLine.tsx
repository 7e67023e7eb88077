import { compare, subtract } from '#src/shared/money.ts';

/** Each amount's position between the least and the most, 0 to 1. For drawing only, so not exact. */
export function heightsOf(
  amounts: readonly string[],
  { least, most }: { least?: string; most?: string } = {},
): number[] {
  const sorted = amounts.toSorted(compare);
  const from = least ?? sorted[0] ?? '0';
  const way = Number(subtract(most ?? sorted.at(-1) ?? '0', from));
  return amounts.map((amount) => Math.min(1, Math.max(0, Number(subtract(amount, from)) / way || 0)));
}

interface StepLineProps {
  /** 0 to 1, one for each day, oldest first. */
  heights: readonly number[];
  width: number;
  height: number;
  left?: number;
  top?: number;
  area?: boolean;
}

/** A balance from day to day: level within a day, a step where it moved. */
export function StepLine({ heights, width, height, left = 0, top = 0, area = false }: StepLineProps) {
  const pitch = (width - left) / Math.max(1, heights.length);
  const y = (part: number): number => Math.round((top + (1 - part) * (height - top)) * 100) / 100;
  const x = (at: number): number => Math.round((left + at * pitch) * 100) / 100;
  const steps = heights.map((part, at) => `${at === 0 ? `M${x(0)} ${y(part)}` : `V${y(part)}`}H${x(at + 1)}`).join('');
  return (
    <>
      {area && <path className="step-area" d={`${steps}V${height}H${left}Z`} />}
      <path className="step-line" d={steps} />
    </>
  );
}
