import { visible } from '#src/lib/text.ts';

/** A word of the service such as a chain, as it came; cut by the column only. */
export function WordCell({ word }: { word: string | null }) {
  if (word === null) return <span className="dim">not given</span>;
  return (
    <bdi className="clip" {...(word.length > 12 ? { 'data-tip': word } : {})}>
      {visible(word.slice(0, 80))}
    </bdi>
  );
}
