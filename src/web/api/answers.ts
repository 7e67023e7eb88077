import { type NoAnswerReason, isWebPage, parseJson, readEnvelope, secondsAsked } from '#src/shared/answers.ts';
import { ApiError } from './errors.ts';
import type { Answer } from './attempt.ts';
import { attempt, type Call } from './http.ts';

/** One request; throws ApiError unless a complete JSON success that parses came back, or the signal's reason. */
export async function request<T>(
  call: Call,
  parse: (json: unknown, answer: Answer) => T,
  refusalOf?: (answer: Answer) => ApiError,
): Promise<T> {
  const result = await attempt(call);
  call.signal?.throwIfAborted();
  if (result.kind === 'no-answer') throw errorOfNoAnswer(result.reason);
  return successOf(result, parse, refusalOf ?? ((answer) => errorOfAnswer(answer, call.path.startsWith('/v1/'))));
}

/** What a complete JSON success says; throws for anything else, of a refusal what `refusalOf` makes of it. */
export function successOf<T>(
  answer: Answer,
  parse: (json: unknown, answer: Answer) => T,
  refusalOf: (answer: Answer) => ApiError = errorOfAnswer,
): T {
  const { status, requestId } = answer;
  const json = status < 300 && answer.complete ? parseJson(answer.text) : undefined;
  if (json === undefined) throw refusalOf(answer);
  try {
    return parse(json, answer);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(`The response is not what the API states: ${why}`, { kind: 'not-contract', status, requestId });
  }
}

/** `toService`: it was asked of the service, and not of the dashboard's own server. */
export function errorOfAnswer(answer: Answer, toService = false): ApiError {
  const envelope = readEnvelope(answer.text);
  const facts = {
    status: answer.status,
    type: envelope?.type ?? null,
    code: envelope?.code ?? null,
    requestId: answer.requestId ?? envelope?.request_id ?? null,
    gateway: answer.gatewayError,
    retryAfterSeconds: secondsAsked(answer, Date.now()),
  };
  if (!envelope && isWebPage(answer)) return new ApiError(webPageWords(toService), { ...facts, kind: 'web-page' });
  if (answer.status >= 400 && (envelope || answer.complete)) {
    const words = envelope?.message ?? generalWords(answer.status, toService && answer.gatewayError === null);
    return new ApiError(words, { ...facts, kind: 'http' });
  }
  if (!answer.complete)
    return new ApiError('The response was cut short on the way, or is too long.', { ...facts, kind: 'cut' });
  return new ApiError(notJsonWords(answer), { ...facts, kind: 'not-json' });
}

export function errorOfNoAnswer(reason: NoAnswerReason): ApiError {
  if (reason === 'timeout') return new ApiError('No response in time.', { kind: 'timeout' });
  if (reason === 'redirect') {
    const words = 'The response redirects to another page, such as a sign-in page of your network.';
    return new ApiError(`${words} Reload this page.`, { kind: 'redirect' });
  }
  if (reason === 'offline') return new ApiError('This device is offline.', { kind: 'offline' });
  return new ApiError('No connection.', { kind: 'network' });
}

function notJsonWords({ text }: Answer): string {
  return text.trim() === '' ? 'The response is empty.' : 'The response is not JSON.';
}

/** The page itself is never shown: it may be anybody's. */
function webPageWords(ofService: boolean): string {
  const whose = ofService ? 'the provider’s response' : 'the response of the dashboard’s server';
  return `A web page came back in place of ${whose}. If your network asks you to sign in, reload this page.`;
}

function generalWords(status: number, ofService: boolean): string {
  const who = ofService ? 'The provider' : 'The dashboard’s server';
  if (status === 401) return `${who}, or something in front of it, refused the request without a reason.`;
  if (status === 403) return `${who} does not allow this.`;
  if (status === 404) return 'This 404 may not be the provider’s own.';
  if (status === 429) return `${who} asks us to slow down.`;
  if (status >= 500) return `${who} failed, or something in front of it did.`;
  return `${who} refused the request.`;
}
