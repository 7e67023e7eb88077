import { RefreshCw } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { IconButton } from '#src/ui/Button.tsx';

interface PartProps {
  title: string;
  /** What is shown here can be read again by this button. */
  reading?: { label: string; again: () => void; busy: boolean };
  children: ReactNode;
}

/** A ruled part of the page under its own heading. */
export function Part({ title, reading, children }: PartProps) {
  const id = useId();
  return (
    <section className="grid min-w-0 grid-cols-1 gap-3 border-t border-rule-strong pt-3" aria-labelledby={id}>
      <div className="flex items-center justify-between">
        <h2 id={id}>{title}</h2>
        {reading && (
          <IconButton label={reading.label} onClick={reading.again} aria-busy={reading.busy}>
            <RefreshCw className="icon-s" aria-hidden />
          </IconButton>
        )}
      </div>
      {children}
    </section>
  );
}
