import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Step {
  id: string;
  text: ReactNode;
  /** Read from what really happened, never from a click alone. */
  done: boolean;
  /** How to take it. */
  act?: ReactNode;
}

const numberClass = [
  'grid size-6 place-items-center rounded-sm border border-rule-strong text-small leading-none',
  'group-aria-[current]:border-accent group-aria-[current]:bg-accent group-aria-[current]:font-semibold',
  'group-aria-[current]:text-on-accent',
].join(' ');

/** Numbered steps; those that happened are ticked, and the first that did not is the one to take. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const now = steps.findIndex(({ done }) => !done);
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(now);
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    // The button of the step that is done has gone, and the focus with it.
    if (document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>('[aria-current] :is(a, button), li:last-child')?.focus();
  }, [now]);
  return (
    <ol className="grid w-full gap-3" ref={list}>
      {steps.map(({ id, text, done, act }, index) => (
        <li
          key={id}
          className="group grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 text-ink-2 aria-[current]:text-ink"
          tabIndex={-1}
          aria-current={index === now ? 'step' : undefined}
          data-done={done || undefined}
        >
          <span className={numberClass} aria-hidden>
            {done ? <Check className="icon-s" aria-hidden /> : index + 1}
          </span>
          <div className="grid max-w-measure gap-2 pt-0.5">
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
