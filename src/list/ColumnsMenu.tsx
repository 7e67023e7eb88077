import { Columns3 } from 'lucide-react';
import { setPreferences, usePreferences } from '#src/storage/preferences.ts';
import { Button } from '#src/ui/Button.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';
import { FilterControl } from './filters/FilterControl.tsx';

interface ColumnsMenuProps {
  /** The path of the list: each has columns of its own. */
  list: string;
  /** Every column that can be chosen, in the order of the list. */
  choices: readonly { name: string; label: string }[];
  usual: readonly string[];
}

/** Which columns a list shows, and how high its rows are; this browser remembers both. */
export function ColumnsMenu({ list, choices, usual }: ColumnsMenuProps) {
  const { columns, density } = usePreferences();
  const shown = columns[list] ?? usual;
  const keep = (names: readonly string[] | undefined) => {
    const { [list]: _former, ...others } = columns;
    setPreferences({ columns: names === undefined ? others : { ...others, [list]: names } });
  };
  return (
    <FilterControl label="Columns" value="" set={false} icon={<Columns3 aria-hidden />}>
      <Segmented
        label="Rows"
        shown
        value={density}
        options={[
          { value: 'comfortable', label: 'Comfortable' },
          { value: 'compact', label: 'Compact' },
        ]}
        onChange={(next) => setPreferences({ density: next })}
      />
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-semibold">Columns</legend>
        {choices.map(({ name, label }) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={shown.includes(name)}
              onChange={({ target }) => keep(target.checked ? [...shown, name] : shown.filter((each) => each !== name))}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="help">A narrow window leaves out the last ones.</p>
      {columns[list] && (
        <div className="acts-row">
          <Button size="small" variant="quiet" onClick={() => keep(undefined)}>
            Usual columns
          </Button>
        </div>
      )}
    </FilterControl>
  );
}
