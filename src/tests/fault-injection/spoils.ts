import { type AttemptResult, type ServiceAnswer, isObject, parseJson, readServiceDate } from '#src/shared/answers.ts';
import {
  altered,
  answerBy,
  cut,
  frontEnvelope,
  isSuccess,
  noAnswer,
  partial,
  strangeId,
  strange,
  undated,
} from './answers.ts';
import type { Fate, ReadFate } from './fates.ts';
import { type Scene, serviceSeconds } from './scene.ts';
import type { Served } from './service.ts';

const DAY_SECONDS = 24 * 60 * 60;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/** Applies a fault to a response on its way back. */
export function spoil(
  scene: Scene,
  how: Exclude<Fate['answer'], 'lost' | 'late'>,
  answer: ServiceAnswer,
): AttemptResult {
  switch (how) {
    case 'html502':
    case 'html504':
      scene.count('gatewayHtml');
      return strange(how === 'html502' ? 502 : 504);
    case 'portal':
      scene.count('captivePortals');
      return strange(200);
    case 'redirect':
      scene.count('redirects');
      return noAnswer('redirect', 50);
    case 'undated':
      scene.count('answersUndated');
      return undated(answer);
    case 'cut':
      scene.count('answersCut');
      return cut(answer);
    case 'empty':
      scene.count('answersCut');
      return { ...answer, text: '' };
    case 'unfinished':
      // The connection ended before Content-Length was reached.
      scene.count('answersUnfinished');
      return { ...answer, complete: false };
    case 'strangeId':
      if (isSuccess(answer)) scene.count('idsStrange');
      return isSuccess(answer) ? strangeId(answer) : answer;
    case 'altered':
      if (isSuccess(answer)) scene.count('answersAltered');
      return isSuccess(answer) ? altered(answer) : answer;
    case 'partial':
      if (isSuccess(answer)) scene.count('answersPartial');
      return isSuccess(answer) ? partial(answer) : answer;
    case 'clean':
      break;
  }
  return answer;
}

/** As spoil(), for a read. */
export function spoilRead(scene: Scene, how: ReadFate, answer: ServiceAnswer): AttemptResult {
  if (how !== 'clean') scene.count('readsSpoiled');
  const now = serviceSeconds(scene);
  switch (how) {
    case 'html502':
      return strange(502);
    case 'portal':
      return { ...strange(200), date: now - 99_999 };
    case 'failed':
      return answerBy(frontEnvelope(500, 'internal_error'), now, 20);
    case 'rateLimited':
      return answerBy(frontEnvelope(429, 'rate_limited'), now, 20, '5');
    case 'unavailable':
      // From a part of the service with its own clock.
      scene.count('datedWrongly');
      return answerBy(
        frontEnvelope(503, 'service_unavailable'),
        now + scene.random.pick([WEEK_SECONDS, -DAY_SECONDS]),
        20,
      );
    case 'aged': {
      // From a cache: an old Date, and Age says how old.
      const age = scene.random.whole(60, 80_000);
      scene.count('answersAged');
      return { ...answer, date: readServiceDate(new Date((now - age) * 1_000).toUTCString(), String(age)) };
    }
    case 'cut':
      return cut(answer);
    case 'partial':
      scene.count('readsPartial');
      return isSuccess(answer) ? partial(answer) : answer;
    case 'undated':
      return undated(answer);
    case 'clean':
    case 'slow':
    case 'lost':
      break;
  }
  return answer;
}

/** Changes the Date as if from a node with a wrong clock. */
export function wrongDate(scene: Scene, attempt: AttemptResult): AttemptResult {
  const off = scene.wrongDateSeconds;
  if (off === 0 || attempt.kind !== 'answer' || attempt.date === null || !scene.random.chance(0.4)) return attempt;
  scene.count('datesWrong');
  return { ...attempt, date: attempt.date + off };
}

/** Makes a list lag, with times by its own clock. */
export function asListed(scene: Scene, served: Served): Served {
  const { listsLagSeconds, createdBehindSeconds } = scene;
  if (listsLagSeconds === 0 && createdBehindSeconds === 0) return served;
  const list = parseJson(served.text);
  if (!isObject(list) || !Array.isArray(list['data'])) return served;
  const all: unknown[] = list['data'];
  const until = serviceSeconds(scene) - listsLagSeconds;
  const data = all.filter((row) => !isObject(row) || Number(row['created_at'] ?? 0) <= until);
  if (data.length < all.length) scene.count('listsLagging');
  if (createdBehindSeconds > 0 && data.length > 0) scene.count('createdBehind');
  const behind = data.map((row) =>
    isObject(row) ? { ...row, created_at: Number(row['created_at'] ?? 0) - createdBehindSeconds } : row,
  );
  return { ...served, text: JSON.stringify({ ...list, data: behind }) };
}
