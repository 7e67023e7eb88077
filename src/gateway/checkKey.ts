import { PATHS } from '#src/api/contract.ts';
import { refuse } from './refusal.ts';
import { callHeaders, isRedirect, refuseUpstream, type Reading, type Service } from './service.ts';

/** Tries an API key by one read; null when the service takes it, else the answer that explains why not. */
export async function checkKey(service: Service, apiKey: string): Promise<Response | null> {
  const headers = callHeaders(new Headers({ Accept: 'application/json' }), apiKey);
  const call = { method: 'GET', target: `${PATHS.balances}?limit=1`, headers, body: null, attempt: null };
  let reading: Reading;
  try {
    reading = await service.read(call);
  } catch (error) {
    return refuseUpstream(error);
  }
  const json = parse(reading.body);
  if (reading.status === 200 && json.object === 'list' && Array.isArray(json.data)) return null;
  // The service's own no, in its own words: a wrong key above all.
  if (reading.status >= 400 && isEnvelope(json.error)) return new Response(reading.body, reading);
  const what = isRedirect(reading.status) ? 'a redirect' : `${reading.status} and not the contract's list`;
  return refuse('upstream', 502, 'not_the_payment_service', `This is not the payment service: it answered ${what}.`);
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isEnvelope(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
