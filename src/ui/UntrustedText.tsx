import { useState } from 'react';
import { numberWords } from '#src/lib/count.ts';
import { visible } from '#src/lib/text.ts';

interface UntrustedTextProps {
  value: string;
  /** Characters shown before the rest is behind a button. */
  max?: number;
  /** As code. */
  mono?: boolean;
}

/** Text that somebody else wrote: isolated, control marks made visible, clipped with the whole on demand. */
export function UntrustedText({ value, max = 300, mono = false }: UntrustedTextProps) {
  const [whole, setWhole] = useState(false);
  const look = mono ? 'raw-text mono' : 'raw-text';
  if (value.length <= max) return <bdi className={look}>{visible(value)}</bdi>;
  return (
    <>
      <bdi className={`${look} raw-long`}>{visible(whole ? value : value.slice(0, max))}</bdi>
      {!whole && '… '}
      <button type="button" className="btn btn-small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : `Show all ${numberWords(value.length)} characters`}
      </button>
    </>
  );
}
