import { type ServiceAnswer, isObject, parseJson } from '#src/shared/answers.ts';
import { answerBy, frontEnvelope, errorInSuccess, strange } from './answers.ts';
import type { Fate } from './fates.ts';
import { retryAfterOf } from './headers.ts';
import { type SimulatedAccount, type Scene, serviceSeconds } from './scene.ts';
import type { Served } from './service.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Final refusals, which the service may store and replay; the first response doesn't say that it is stored. */
const FINAL = [400, 401, 403, 408, 409, 422, 425, 429] as const;

/** A POST as sent; several copies of it may arrive. */
export interface SentPost {
  account: SimulatedAccount;
  path: string;
  key: string;
  body: string;
  fate: Fate;
}

/** Processes one copy of a POST that reached the service, and returns the response. */
export async function serve(scene: Scene, sent: SentPost): Promise<ServiceAnswer> {
  const { account, fate } = sent;
  const received = (served: Served, retryAfter: string | null = null): ServiceAnswer =>
    answerBy(served, serviceSeconds(scene), 60, retryAfter);
  if (account.revoked) return received(frontEnvelope(401, 'authentication_error'));
  const retryAfter = retryAfterOf(scene.random, serviceSeconds(scene));
  switch (fate.front) {
    case 'unauthorized':
      scene.count('unauthorized');
      return received(frontEnvelope(401, 'authentication_error'));
    case 'forbidden':
      scene.count('forbidden');
      return received(frontEnvelope(403, 'permission_error'));
    case 'rateLimited':
      scene.count('rateLimited');
      return received(frontEnvelope(429, 'rate_limited'), retryAfter);
    case 'unavailable':
      scene.count('unavailable');
      return {
        ...received(frontEnvelope(503, 'service_unavailable'), retryAfter),
        date: serviceSeconds(scene) + WEEK_SECONDS,
      };
    case 'conflict':
      scene.count('conflicts');
      return received(
        scene.random.chance(0.7) ? frontEnvelope(409, 'idempotency_in_progress') : frontEnvelope(425, 'too_early'),
        retryAfter,
      );
    case 'refused':
      scene.count('refusedUnstored');
      return received(frontEnvelope(422, 'unacceptable'));
    case 'strange':
      scene.count('gatewayHtml');
      return strange(scene.random.pick([403, 404, 413]));
    case 'timedOut':
      scene.count('timedOut');
      return received(frontEnvelope(408, 'timed_out'));
    case 'failed':
      scene.count('failed');
      return received(frontEnvelope(500, 'internal_error'));
    case 'errorInSuccess':
      scene.count('errorsInSuccess');
      return received(errorInSuccess(sent.body));
    case 'refusedStored':
    case 'failedStored':
    case 'failedStoredExecuted':
    case 'passes':
      break;
  }
  return received(await reach(scene, sent));
}

/** The service behind its front; it may store a failure instead of its response. */
async function reach(scene: Scene, sent: SentPost): Promise<Served> {
  const { account, path, key, fate } = sent;
  const { apiKey, id } = account.at;
  const name = `${id} ${key}`;
  const isFirst = scene.judge.arrived(id, key);
  const storedFailure = scene.failures.get(name);
  if (storedFailure !== undefined && scene.agenda.now() - storedFailure.at < DAY_MS)
    return { ...storedFailure.served, replayed: true };
  if (isFirst && fate.front === 'refusedStored') {
    scene.count('refusedStored');
    const served = frontEnvelope(scene.random.pick(FINAL), 'unacceptable');
    scene.failures.set(name, { at: scene.agenda.now(), served });
    return served;
  }
  const fails = isFirst && (fate.front === 'failedStored' || fate.front === 'failedStoredExecuted');
  if (fails) {
    scene.count(fate.front === 'failedStored' ? 'failedStored' : 'failedStoredExecuted');
    scene.failures.set(name, { at: scene.agenda.now(), served: frontEnvelope(500, 'internal_error') });
    if (fate.front === 'failedStored') return frontEnvelope(500, 'internal_error');
  }
  const bytes = fate.request === 'rewritten' ? ` ${sent.body}` : sent.body;
  const served = await scene.service.post(apiKey, path, key, bytes);
  if (served.status < 300 && !served.replayed) {
    scene.judge.executed({ path, key, id: idIn(served.text), account: id, body: sent.body, served });
    scene.tell?.(`   the service executes ${key}`);
  }
  return fails ? frontEnvelope(500, 'internal_error') : served;
}

function idIn(text: string): string | null {
  const object = parseJson(text);
  const id = isObject(object) ? object['id'] : null;
  return typeof id === 'string' ? id : null;
}
