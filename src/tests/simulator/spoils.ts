import { isObject, parseJson } from '#src/lib/answers.ts';
import type { Answer, Attempt } from '#src/api/http.ts';
import { altered, answerBy, cut, envelope, isSuccess, noAnswer, partial, strange, undated } from './answers.ts';
import type { Fate, ReadFate } from './fates.ts';
import { type Scene, serviceSeconds } from './scene.ts';
import type { Served } from './service.ts';

/** What becomes of an answer on its way back. */
export function spoil(scene: Scene, how: Exclude<Fate['answer'], 'lost' | 'late'>, answer: Answer): Attempt {
  switch (how) {
    case 'html502':
    case 'html504':
      scene.count('gatewayHtml');
      return strange(how === 'html502' ? 502 : 504);
    case 'upstream':
      scene.count('gatewayUpstream');
      return strange(502, 'upstream');
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

/** The same for a read. */
export function spoilRead(scene: Scene, how: ReadFate, answer: Answer): Attempt {
  if (how !== 'clean') scene.count('readsSpoiled');
  switch (how) {
    case 'html502':
      return strange(502);
    case 'portal':
      return { ...strange(200), date: serviceSeconds(scene) - 999 };
    case 'failed':
      return answerBy(envelope(500, 'internal_error'), serviceSeconds(scene), 20);
    case 'rateLimited':
      return answerBy(envelope(429, 'rate_limited'), serviceSeconds(scene), 20, '5');
    case 'cut':
      return cut(answer);
    case 'undated':
      return undated(answer);
    case 'clean':
    case 'slow':
    case 'lost':
      break;
  }
  return answer;
}

/** A list that does not show the newest yet. */
export function lagging(scene: Scene, served: Served): Served {
  const list = parseJson(served.text);
  if (!isObject(list) || !Array.isArray(list['data'])) return served;
  const until = serviceSeconds(scene) - scene.listsLagSeconds;
  const data = list['data'].filter((row: unknown) => !isObject(row) || Number(row['created_at'] ?? 0) <= until);
  if (data.length === list['data'].length) return served;
  scene.count('listsLagging');
  return { ...served, text: JSON.stringify({ ...list, data }) };
}
