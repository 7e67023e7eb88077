import type { KeptText } from '#src/api/keptText.ts';
import { counted, numberWords } from '#src/lib/count.ts';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { indentJson } from '#src/lib/indentJson.ts';

interface BodyProps {
  title: 'Body' | 'Response';
  kept: KeptText | null;
  /** False: the answer ended early. */
  complete?: boolean;
}

const SHOWN = 6000;

/** A body as text, whatever it is; JSON indented for reading and copied as it came. */
export function Body({ title, kept, complete = true }: BodyProps) {
  const hidden = useAmountsHidden();
  const whole = kept !== null && kept.text?.length === kept.length;
  return (
    <section className="call-section" aria-label={title}>
      <h3>
        {title}
        {kept?.text && !hidden && <CopyButton value={kept.text} label={`Copy ${title.toLowerCase()}`} />}
      </h3>
      <p className="small dim">
        {about(kept)}
        {!complete && ' It was cut short on the way.'}
      </p>
      {kept?.text &&
        (hidden ? (
          <p className="small sub">Hidden, as amounts are.</p>
        ) : (
          <div className="code">
            <RawText value={(whole ? indentJson(kept.text) : null) ?? kept.text} max={SHOWN} />
          </div>
        ))}
    </section>
  );
}

function about(kept: KeptText | null): string {
  if (kept === null) return 'Not kept: it went to the gateway, or there was none.';
  const count = counted(kept.length, 'character', 'characters');
  if (kept.text === null) return `${count}, no longer kept: newer ones took its place.`;
  if (kept.length === 0) return 'Empty.';
  if (kept.text.length < kept.length) return `The first ${numberWords(kept.text.length)} of ${count} were kept.`;
  return `${count}.`;
}
