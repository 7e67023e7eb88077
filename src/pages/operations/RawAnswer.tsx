import { CopyButton } from '#src/ui/CopyButton.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { indented } from './indented.ts';

const SHOWN = 4_000;

/** An answer of the service as it came, behind a summary; only white space between its values is ours. */
export function RawAnswer({ text, open = false }: { text: string; open?: boolean }) {
  if (text === '') return <p className="sub">The answer has no content.</p>;
  return (
    <details open={open}>
      <summary>Raw JSON</summary>
      <div className="acts-row">
        <CopyButton value={text} label="Copy JSON" />
      </div>
      <div className="code">
        <RawText value={indented(text)} max={SHOWN} />
      </div>
    </details>
  );
}
