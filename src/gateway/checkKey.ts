import { PATHS, REQUEST_ID_HEADER } from '#src/api/contract.ts';
import { isObject, parseJson, readEnvelope, type ServiceAnswer } from '#src/lib/answers.ts';
import { refuse } from './refusal.ts';
import { refuseUpstream, ServiceError, type Service } from './upstream/service.ts';

/** Tries an API key by one read; null when the service takes it, else the answer that explains why not. */
export async function checkKey(service: Service, apiKey: string): Promise<Response | null> {
  const answer = await service.read({ apiKey, target: `${PATHS.balances}?limit=1` });
  if (answer.kind === 'no-answer') {
    if (answer.reason === 'redirect') return refuseOther('a redirect');
    return refuseUpstream(new ServiceError(answer.reason === 'timeout' ? 'silent' : 'lost'));
  }
  if (!answer.complete) return refuseUpstream(new ServiceError('lost'));
  const json = parseJson(answer.text);
  if (answer.status === 200 && isObject(json) && json['object'] === 'list' && Array.isArray(json['data'])) return null;
  // The service's own no, in its own words: a wrong key above all.
  const refused = answer.status >= 400 && answer.status <= 599;
  if (refused && readEnvelope(answer.text)?.code != null) return passedOn(answer);
  return refuseOther(`${answer.status} and not the contract's list`);
}

function refuseOther(what: string): Response {
  return refuse('upstream', 502, 'not_the_payment_service', `This is not the payment service: it answered ${what}.`);
}

function passedOn({ status, text, contentType, requestId, retryAfter, date }: ServiceAnswer): Response {
  const headers = new Headers();
  const set = (name: string, value: string | null) => value !== null && headers.set(name, value);
  set('Content-Type', contentType);
  set(REQUEST_ID_HEADER, requestId);
  set('Retry-After', retryAfter);
  set('Date', date === null ? null : new Date(date * 1000).toUTCString());
  return new Response(text, { status, headers });
}
