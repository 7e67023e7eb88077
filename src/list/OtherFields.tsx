import { rawOf } from '#src/api/schemas.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact } from '#src/ui/Facts.tsx';
import { useAmountsHidden } from '#src/ui/amountsHidden.tsx';
import { RawText } from '#src/ui/RawText.tsx';

interface OtherFieldsProps {
  record: object;
  /** Names of the fields that stand elsewhere. */
  except: readonly string[];
}

/** Fields that the contract does not state, under their own names and as they came. */
export function OtherFields({ record, except }: OtherFieldsProps) {
  const others = Object.entries(record).filter(([name]) => !except.includes(name));
  return others.map(([name, value]) => (
    <Fact key={name} label={name.length > 60 ? `${name.slice(0, 60)}…` : name} mono>
      <RawText value={asText(value)} max={200} />
    </Fact>
  ));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

const JSON_MAX = 4000;

/** The whole record as JSON, as the service sent it, behind a summary. */
export function RawJson({ value }: { value: object }) {
  const text = JSON.stringify(rawOf(value), null, 2);
  if (useAmountsHidden()) return <p className="small sub">Raw JSON is hidden, as amounts are.</p>;
  return (
    <details>
      <summary>Raw JSON</summary>
      <div className="acts-row">
        <CopyButton value={text} label="Copy JSON" />
      </div>
      <div className="code">
        <RawText value={text} max={JSON_MAX} />
      </div>
    </details>
  );
}
