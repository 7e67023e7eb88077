import { numberWords } from '#src/shared/text.ts';
import type { AmountSort } from './rows/sortRows.ts';

interface Scope {
  sort: AmountSort;
  /** A filter is applied to the loaded rows only. */
  local: boolean;
  loaded: number;
  isWhole: boolean;
}

/** "largest first in the 134 rows loaded": what applies to the loaded rows only; empty if nothing does. */
export function scopeWords({ sort, local, loaded, isWhole }: Scope): string {
  const order = sort === undefined ? '' : `${sort} first`;
  const rows = `in the ${numberWords(loaded)} ${loaded === 1 ? 'row' : 'rows'} loaded`;
  return [order, !isWhole && (local || order !== '') && rows].filter(Boolean).join(' ');
}
