import { indentJson } from '#src/lib/indentJson.ts';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { RawText } from '#src/ui/RawText.tsx';

const SHOWN = 4_000;

/** An answer of the service as it came, behind a summary; only white space between its values is ours. */
export function RawAnswer({ text, open = false }: { text: string; open?: boolean }) {
  const hidden = useAmountsHidden();
  if (text === '') return <p className="sub">The answer has no content.</p>;
  if (hidden) return <p className="small sub">Raw JSON is hidden, as amounts are.</p>;
  return (
    <details open={open} className="raw-answer">
      <summary>Raw JSON</summary>
      <div className="code">
        <span className="copy">
          <CopyButton value={text} label="Copy JSON" />
        </span>
        <RawText value={indentJson(text) ?? text} max={SHOWN} />
      </div>
    </details>
  );
}
