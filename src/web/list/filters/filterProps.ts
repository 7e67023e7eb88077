import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { ControlProps } from './filterTable.ts';
import type { Period } from './periods.ts';

/** The service's filters and those that only the page has: it applies them to the rows that it loaded. */
export interface PageFilters extends ListFilters {
  /** The period that the days of `created_after` and `created_before` were chosen as. */
  period?: Period;
  chain?: string;
  /** The address that a withdrawal went to. */
  to?: string;
  min_amount?: string;
  max_amount?: string;
  /** By amount, of the loaded rows; amounts of several assets can't be compared, so only with `asset`. */
  sort?: 'largest' | 'smallest';
}

export interface WordFilterProps {
  label: string;
  value: string | undefined;
  suggestions: () => readonly string[];
  help: string;
  /** The values are codes: one is chosen from the list, or confirmed by "Use … exactly". Otherwise the text is applied after a pause in typing. */
  codes?: boolean;
  /** How a suggestion is displayed, if not as its value. */
  suggestionText?: (value: string) => string;
  onChange: (value: string | undefined, how?: 'typed') => void;
}

export type RangeProps = Pick<ControlProps<PageFilters, unknown>, 'filters' | 'change'>;

export interface CreatedFormProps extends RangeProps {
  period: Period | undefined;
}
