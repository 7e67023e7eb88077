import { useLoaded } from '#src/ui/useLoaded.ts';
import { FilterControl } from './FilterControl.tsx';

export interface WordFilterProps {
  label: string;
  value: string | undefined;
  /** Words to choose from; read when the control opens. */
  suggestions: () => readonly string[];
  help: string;
  /** A word is chosen, and free text only by a row that says so; else any part of a text filters as it is typed. */
  codes?: boolean;
  onChange: (value: string | undefined, how?: 'typed') => void;
}

/** A filter by one word: chosen from those known, or typed, because nobody knows them all. */
export function WordFilter(props: WordFilterProps) {
  const { label, value, onChange } = props;
  return (
    <FilterControl label={label} value={value ?? 'any'} set={value !== undefined} onClear={() => onChange(undefined)}>
      <Chooser {...props} />
    </FilterControl>
  );
}

const loadChooser = () => import('./WordChooser.tsx');

function Chooser(props: WordFilterProps) {
  const { value } = useLoaded(loadChooser);
  return value && <value.WordChooser {...props} />;
}
