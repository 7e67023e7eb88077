import { rawOf } from '#src/shared/contract/rows.ts';
import { isAmount } from '#src/shared/amount.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { textOrJson, revealHidden } from '#src/shared/text.ts';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact } from '#src/web/ui/Facts.tsx';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

/** Fields that are not in the contract, under the service's names and unchanged. */
export function OtherFields({ record, except }: { record: object; except: readonly string[] }) {
  const hidden = useAmountsHidden();
  const others = Object.entries(record).filter(([name]) => !except.includes(name));
  return others.map(([name, value]) => {
    const label = revealHidden(name.length > 60 ? `${name.slice(0, 60)}…` : name);
    // An undeclared field may hold an amount.
    if (hidden && (typeof value === 'object' || isAmount(textOrJson(value)))) {
      return (
        <Fact key={name} label={label}>
          •••••
        </Fact>
      );
    }
    return (
      <Fact key={name} label={label} mono action={<CopyButton value={textOrJson(value)} label={`Copy ${label}`} />}>
        <UntrustedText value={textOrJson(value)} max={200} />
      </Fact>
    );
  });
}

const JSON_MAX = 4000;

export function RawJson({ value }: { value: object }) {
  const text = stringifyExact(rawOf(value), 2);
  if (useAmountsHidden()) return <p className="small sub">Raw JSON is hidden, as amounts are.</p>;
  return (
    <details>
      <summary>Raw JSON</summary>
      <div className="acts-row">
        <CopyButton value={text} label="Copy JSON" />
      </div>
      <div className="code">
        <UntrustedText value={text} max={JSON_MAX} />
      </div>
    </details>
  );
}
