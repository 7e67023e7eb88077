import { setPreferences, usePreferences } from '#src/web/storage/preferences.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';

interface ColumnsFormProps {
  /** Path of the list, under which the choice is saved. */
  list: string;
  /** In the order of the list. */
  choices: readonly { name: string; label: string }[];
  usual: readonly string[];
}

export function ColumnsForm({ list, choices, usual }: ColumnsFormProps) {
  const { columns, density } = usePreferences();
  const visible = columns[list] ?? usual;
  const keep = (names: readonly string[] | undefined) => {
    const { [list]: _former, ...others } = columns;
    setPreferences({ columns: names === undefined ? others : { ...others, [list]: names } });
  };
  return (
    <>
      <Segmented
        label="Rows"
        labelVisible
        value={density}
        options={{ comfortable: 'Comfortable', compact: 'Compact' }}
        onChange={(next) => setPreferences({ density: next })}
      />
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-semibold">Columns</legend>
        {choices.map(({ name, label }) => (
          <Check
            key={name}
            isChecked={visible.includes(name)}
            onChange={(isChecked) => keep(isChecked ? [...visible, name] : visible.filter((each) => each !== name))}
          >
            {label}
          </Check>
        ))}
      </fieldset>
      <p className="help">The last columns are hidden when space is short.</p>
      {columns[list] && (
        <div className="acts-row">
          <Button size="small" variant="quiet" onClick={() => keep(undefined)}>
            Usual columns
          </Button>
        </div>
      )}
    </>
  );
}
