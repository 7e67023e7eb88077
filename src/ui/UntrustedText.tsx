import { useState } from 'react';
import { numberWords } from '#src/lib/count.ts';
import { visible } from '#src/lib/text.ts';

interface UntrustedTextProps {
  value: string;
  /** Characters shown before the rest is behind a button. */
  max?: number;
}

/** Text that somebody else wrote: isolated, control marks made visible, clipped with the whole on demand. */
export function UntrustedText({ value, max = 300 }: UntrustedTextProps) {
  const [whole, setWhole] = useState(false);
  if (value.length <= max) return <bdi className="raw-text">{visible(value)}</bdi>;
  return (
    <>
      <bdi className="raw-text raw-long">{visible(whole ? value : value.slice(0, max))}</bdi>
      {!whole && '… '}
      <button type="button" className="btn btn-small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : `Show all ${numberWords(value.length)} characters`}
      </button>
    </>
  );
}
