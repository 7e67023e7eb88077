import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

export interface Step {
  id: string;
  text: ReactNode;
  /** Read from what really happened, never from a click alone. */
  done: boolean;
  /** How to take it. */
  act?: ReactNode;
}

/** Numbered steps; those that happened are ticked, and the first that did not is the one to take. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const now = steps.findIndex(({ done }) => !done);
  return (
    <ol className="reh-steps">
      {steps.map(({ id, text, done, act }, index) => (
        <li key={id} aria-current={index === now ? 'step' : undefined} data-done={done || undefined}>
          <span className="reh-number" aria-hidden>
            {done ? <Check className="icon-s" aria-hidden /> : index + 1}
          </span>
          <div>
            <p>
              {text}
              {done && <span className="vh"> Done.</span>}
            </p>
            {act && (index === now || !done) && <div className="acts-row">{act}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
