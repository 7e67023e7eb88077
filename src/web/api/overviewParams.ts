// Apart from overview.ts: the early script and the lists need nothing else of it.
import { withParams } from '#src/shared/searchParams.ts';

/** What a person asks for beyond what the server last read: newer payments, or older ones. */
export type OverviewAsk = 'refresh' | 'more' | null;

export function overviewParams(zone: string, ask: OverviewAsk): URLSearchParams {
  return withParams(new URLSearchParams(), { zone, ...(ask !== null && { [ask]: 'true' }) });
}

export function overviewKey(account: string, zone: string): string[] {
  return [account, 'overview', zone];
}
