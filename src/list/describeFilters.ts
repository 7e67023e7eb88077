import type { AnyFilters } from '#src/api/listQuery.ts';
import { visible } from '#src/lib/text.ts';
import type { Zone } from '#src/lib/time.ts';
import { describeRange } from './createdRange.ts';

/** The filters that make a list shorter, in words: "status completed, asset BTC, created 1 Nov 2026 to 21 Nov 2026, UTC". */
export function describeFilters(filters: AnyFilters, zone: Zone): string {
  const parts: string[] = [];
  if (filters.status !== undefined) parts.push(`status ${visible(filters.status)}`);
  if (filters.asset !== undefined) parts.push(`asset ${visible(filters.asset)}`);
  if (filters.source !== undefined) parts.push(`source ${visible(filters.source)}`);
  const range = describeRange(filters, zone);
  if (range !== 'any') parts.push(`created ${range}`);
  return parts.join(', ');
}
