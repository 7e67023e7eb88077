import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { type Step, useStepsHere } from './steps.ts';

/** The way to the rows before and after the one that is open; switched off, a button says why. */
export function StepButtons({ onWhy }: { onWhy: (why: string | null) => void }) {
  const steps = useStepsHere();
  if (!steps) return null;
  const { noun, previous, next, reading } = steps;
  return (
    // The focus stays on the button while the detail beside it changes.
    <span className="steps" data-keeps-focus>
      <StepButton label={`Previous ${noun}`} step={previous} onWhy={onWhy}>
        <ChevronUp className="icon-s" aria-hidden />
      </StepButton>
      <StepButton label={`Next ${noun}`} step={next} busy={reading} onWhy={onWhy}>
        <ChevronDown className="icon-s" aria-hidden />
      </StepButton>
    </span>
  );
}

interface StepButtonProps {
  label: string;
  step: Step;
  busy?: boolean;
  onWhy: (why: string | null) => void;
  children: ReactNode;
}

function StepButton({ label, step, busy = false, onWhy, children }: StepButtonProps) {
  const whyId = useId();
  const why = 'why' in step ? step.why : null;
  return (
    <>
      <button
        type="button"
        className="icon-btn"
        aria-label={label}
        aria-disabled={why !== null || undefined}
        aria-describedby={why === null ? undefined : whyId}
        aria-busy={busy}
        data-tip={why === null ? label : `${label}: ${why}`}
        onClick={() => {
          onWhy(why);
          if ('go' in step) step.go();
        }}
      >
        {children}
      </button>
      {why !== null && (
        <span id={whyId} className="vh">
          {why}
        </span>
      )}
    </>
  );
}
