import { KINDS, type OperationKind } from '#src/lib/operations/kind.ts';
import { type OperationState, operationSchema } from '#src/lib/operations/record.ts';
import { readChoice, withParams } from '#src/lib/searchParams.ts';

export interface OperationFilters {
  state: OperationState | undefined;
  kind: OperationKind | undefined;
}

export const STATES: readonly OperationState[] = operationSchema.entries.state.options;

/** The filters as the URL has them; what makes no sense falls back to all, and is named. */
export function readOperationFilters(search: URLSearchParams): OperationFilters & { ignored: string[] } {
  const state = readChoice(search, 'state', STATES);
  const kind = readChoice(search, 'kind', KINDS);
  const understood = { state, kind };
  const ignored = (['state', 'kind'] as const).flatMap((name) =>
    search
      .getAll(name)
      .slice(understood[name] === undefined ? 0 : 1)
      .map((text) => `${name}=${text.slice(0, 40)}`),
  );
  return { state, kind, ignored };
}

/** The search string with one filter changed; undefined clears it. */
export function withFilter(search: URLSearchParams, changes: Partial<OperationFilters>): string {
  return withParams(search, changes).toString();
}
