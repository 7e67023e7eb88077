import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { ControlProps } from './filterTable.ts';
import type { Period } from './periods.ts';

/** The service's filters, and those that only the page has, which apply to the loaded rows. */
export interface PageFilters extends ListFilters {
  /** The period that the days of `created_after` and `created_before` were chosen as. */
  period?: Period;
  chain?: string;
  /** The address that a withdrawal went to. */
  to?: string;
  min_amount?: string;
  max_amount?: string;
  /** Sorts the loaded rows by amount. Only with `asset`, because amounts of different assets can't be compared. */
  sort?: 'largest' | 'smallest';
}

export interface WordFilterProps {
  label: string;
  value: string | undefined;
  suggestions: () => readonly string[];
  help: string;
  /** Codes must be chosen from the list or confirmed with "Use … exactly". Other text is applied after a pause in typing. */
  codes?: boolean;
  /** How a suggestion is displayed, if not as its value. */
  suggestionText?: (value: string) => string;
  onChange: (value: string | undefined, how?: 'typed') => void;
}

export type RangeProps = Pick<ControlProps<PageFilters, unknown>, 'filters' | 'change'>;

export interface CreatedFormProps extends RangeProps {
  period: Period | undefined;
}
