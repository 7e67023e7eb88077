import { expect, inject } from 'vitest';
import { bodyOf, sendTo } from '#src/tests/contract/http.ts';
import { post } from '#src/tests/crash/requests.ts';
import type { LedgerReport } from '#src/sandbox/ledgerReport.ts';
import type { LoggedRequest } from '#src/sandbox/answerV1.ts';

export const { serviceUrl } = inject('servers');

/** An account of the payments service with its clock stopped, funds and a few deposits. */
export interface Merchant {
  account: string;
  key: string;
}

export async function newMerchant(deposits = 0): Promise<Merchant> {
  return bodyOf<Merchant>(await post(serviceUrl, '/sandbox/accounts', { deposits, assets: 7 }));
}

/** One fault of this merchant's requests (src/sandbox/CONTROLS.md). */
export async function faultFor({ account }: Merchant, what: Record<string, unknown>): Promise<void> {
  await post(serviceUrl, '/sandbox/faults', { account, ...what });
}

/** A delay that lasts until `release`, however slow the machine is. */
export const HELD = { delay: 600_000 };

/** Clears this merchant's faults, which releases delayed responses. */
export async function release({ account }: Merchant): Promise<void> {
  await sendTo(serviceUrl, `/sandbox/faults?account=${account}`, { method: 'DELETE' });
}

/** The executed withdrawals; throws if the ledger doesn't add up. */
export async function executed(
  { account }: Merchant,
  address?: string,
): Promise<LedgerReport['executed'] & { to: number }> {
  const about = address === undefined ? '' : `&address=${address}`;
  const report = bodyOf<LedgerReport>(await sendTo(serviceUrl, `/sandbox/ledger?account=${account}${about}`, {}));
  expect(Object.values(report.sums).filter((sum) => sum !== '0')).toEqual([]);
  expect(report).toMatchObject({ unbalanced: 0, drifted: [] });
  return { ...report.executed, to: report.to_address ?? 0 };
}

/** This merchant's requests that reached the service, oldest first. */
export async function requestsReceived({ account }: Merchant): Promise<LoggedRequest[]> {
  const answer = await sendTo(serviceUrl, `/sandbox/requests?account=${account}`, {});
  return bodyOf<{ data: LoggedRequest[] }>(answer).data;
}

export async function posts(merchant: Merchant): Promise<LoggedRequest[]> {
  return (await requestsReceived(merchant)).filter(({ method }) => method === 'POST');
}
