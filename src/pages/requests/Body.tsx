import type { ReactNode } from 'react';
import type { LoggedBody } from '#src/api/loggedBody.ts';
import { counted, numberWords } from '#src/lib/count.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { indentJson } from '#src/lib/indentJson.ts';

interface CallPartProps {
  title: string;
  /** Names the part where the title says more. */
  label?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A part of the panel of one call. */
export function CallPart({ title, label = title, action, children }: CallPartProps) {
  return (
    <section className="grid grid-cols-1 gap-1" aria-label={label}>
      <h3 className="flex items-center gap-1">
        {title}
        {action}
      </h3>
      {children}
    </section>
  );
}

interface BodyProps {
  title: 'Body' | 'Response';
  kept: LoggedBody | null;
  /** False: the answer ended early. */
  complete?: boolean;
}

const SHOWN = 6000;

/** A body as text, whatever it is; JSON indented for reading and copied as it came. */
export function Body({ title, kept, complete = true }: BodyProps) {
  const hidden = useAmountsHidden();
  const whole = kept !== null && kept.text?.length === kept.length;
  return (
    <CallPart
      title={title}
      action={kept?.text && !hidden && <CopyButton value={kept.text} label={`Copy ${title.toLowerCase()}`} />}
    >
      <p className="small dim">
        {about(kept)}
        {!complete && ' The connection was cut.'}
      </p>
      {kept?.text &&
        (hidden ? (
          <p className="small sub">Hidden with amounts.</p>
        ) : (
          <div className="code">
            <UntrustedText value={(whole ? indentJson(kept.text) : null) ?? kept.text} max={SHOWN} />
          </div>
        ))}
    </CallPart>
  );
}

function about(kept: LoggedBody | null): string {
  if (kept === null) return 'Not kept, or there was none.';
  const count = counted(kept.length, 'character', 'characters');
  if (kept.text === null) return `${count}, dropped for newer ones.`;
  if (kept.length === 0) return 'Empty.';
  if (kept.text.length < kept.length) return `The first ${numberWords(kept.text.length)} of ${count} are kept.`;
  return `${count}.`;
}
