import { type ServiceAnswer, isObject, parseJson } from '#src/shared/answers.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { altered, cut, isSuccess, partial } from './answers.ts';
import type { Scene } from './scene.ts';
import type { Served } from './service.ts';

// A service that later contradicts its own responses: other ids, other amounts.

/** From now on the service states another amount for a withdrawal whose response was received. */
export function mayAlter(scene: Scene, { key, kind, attempts }: OperationRecord): void {
  if (!scene.worlds.altersObjects || scene.setsBack || kind !== 'withdrawal') return;
  const execution = scene.judge.executions.find((one) => one.key === key);
  const id = execution?.id ?? null;
  const isHeard = attempts.some(
    ({ outcome, resultId, contentType }) =>
      resultId === id || (outcome === 'unclean-success' && contentType === 'application/json'),
  );
  if (id === null || !isHeard || scene.altered.has(id)) return;
  const isAltered = scene.faultRate > 0 && scene.random.chance(0.6);
  scene.altered.set(id, isAltered);
  if (isAltered) scene.count('objectsAltered');
}

export function asAltered(scene: Scene, served: Served): Served {
  if (scene.altered.size === 0) return served;
  const value = parseJson(served.text);
  const rows = isObject(value) && Array.isArray(value['data']) ? value['data'] : null;
  const one = (object: unknown): unknown => {
    const isOther = isObject(object) && scene.altered.get(String(object['id'])) === true;
    return isOther ? { ...object, amount: '7777' } : object;
  };
  const altered = rows === null ? one(value) : { ...(value as object), data: rows.map(one) };
  return isObject(altered) ? { ...served, text: JSON.stringify(altered) } : served;
}

function cutShort(scene: Scene, answer: ServiceAnswer): ServiceAnswer {
  scene.count('answersCut');
  return cut(answer);
}

/** This service's response to a POST, before faults on the way. */
export function asStated(scene: Scene, path: string, answer: ServiceAnswer): ServiceAnswer {
  const { random, worlds, faultRate } = scene;
  if (path !== '/v1/withdrawals' || faultRate === 0 || !isSuccess(answer) || !answer.text.includes('"id":"wd_'))
    return answer;
  if (worlds.secondIds && random.chance(answer.replayed ? 0.7 : 0.3)) {
    scene.count('secondIds');
    return { ...answer, text: answer.text.replace(/"id":"(wd_[^"]*)"/, '"id":"$1b"') };
  }
  if (!worlds.altersObjects) return answer;
  // Every second one of these services never delivers a complete response.
  if (scene.seed % 2 === 1) return random.chance(0.8) ? cutShort(scene, answer) : answer;
  if (random.chance(0.2)) {
    scene.count('answersAltered');
    return altered(answer);
  }
  if (!random.chance(0.3)) return answer;
  scene.count('answersPartial');
  return partial(answer);
}
