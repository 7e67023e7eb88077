import { type ReactNode, useId } from 'react';
import { describeError } from '#src/api/errors.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';

/** One section of the page: a heading, and what it found. */
export function HomeSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="home-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Said only if reading takes long enough to notice; its line is there at once. */
export function Reading({ what }: { what: string }) {
  const slow = useDelay(true);
  return <p className="home-line sub">{slow ? `Reading the ${what}` : '\u00a0'}</p>;
}

interface FailedProps {
  what: string;
  error: Error;
  reading: boolean;
  onRetry: () => void;
}

/** A first read that failed; the other parts stay. */
export function Failed({ what, error, reading, onRetry }: FailedProps) {
  return (
    <ErrorNotice
      error={describeError(error)}
      heading={`The ${what} could not be read`}
      onRetry={onRetry}
      retrying={reading}
    />
  );
}
