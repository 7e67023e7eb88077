// Separate from sharedReading.ts, so that the early script and the lists don't load the rest of it.
import { withParams } from '#src/shared/searchParams.ts';

/** What a person asks for beyond what the server last read: newer payments, or older ones. */
export type ReadingAsk = 'refresh' | 'more' | null;

export function askParams(params: Readonly<Record<string, string>>, ask: ReadingAsk): URLSearchParams {
  return withParams(new URLSearchParams(), { ...params, ...(ask !== null && { [ask]: 'true' }) });
}

export function overviewKey(account: string, zone: string): string[] {
  return [account, 'overview', zone];
}
