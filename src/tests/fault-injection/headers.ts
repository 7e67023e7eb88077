import { type ServiceAnswer, readServiceDate } from '#src/shared/answers.ts';
import { isEnvelope } from './answers.ts';
import type { Random } from './random.ts';
import { type Scene, serviceSeconds } from './scene.ts';

// The headers that the engine reads, in the forms that services and proxies really send.

const ODD = ['no id', 'replayed', 'date', 'age', 'retry-after'] as const;

export function withOddHeaders(scene: Scene, answer: ServiceAnswer): ServiceAnswer {
  const { random, worlds } = scene;
  if (!worlds.oddHeaders || scene.faultRate === 0 || !random.chance(0.5)) return answer;
  switch (random.pick(ODD)) {
    case 'no id':
      scene.count('requestIdsAbsent');
      return { ...answer, requestId: null };
    case 'replayed':
      // In a response with the contract's envelope only the service sets it; a cache sets it on any other.
      if (isEnvelope(answer.text)) return answer;
      scene.count('replayedOddly');
      return { ...answer, replayed: true };
    case 'date':
      if (answer.date === null) return answer;
      scene.count('datesUnreadable');
      return { ...answer, date: readServiceDate(dateIn(random, answer.date), null) };
    case 'age': {
      if (answer.date === null) return answer;
      scene.count('agesOdd');
      const age = random.pick(['0', '30', '60', '61', '4000', '', ' 5 ', '-1', '1.5', 'old']);
      const kept = Number(age) > 0 ? Number(age) : 0;
      return { ...answer, date: readServiceDate(imfDate(answer.date - kept), age) };
    }
    case 'retry-after': {
      const header = retryAfterOf(random, answer.date ?? serviceSeconds(scene));
      if (header === null) return answer;
      scene.count('retriesAsked');
      return { ...answer, retryAfter: header };
    }
  }
}

/** `now`: Unix seconds by the clock that also writes the response's Date. */
export function retryAfterOf(random: Random, now: number): string | null {
  const kind = random.whole(0, 9);
  if (kind < 3) return null;
  if (kind < 6) return String(random.whole(1, 20));
  if (kind < 8) return imfDate(now + random.pick([-3_600, 0, 7, 45, 59, 61, 7_200]));
  return random.pick(['0', '60', '61', '3600', '99999', 'abc', '', '-5', '1.5', ' 3 ', 'soon, please', '2030-01-01']);
}

function imfDate(seconds: number): string {
  return new Date(seconds * 1_000).toUTCString();
}

/** Other date formats, in RFC 9110 and beyond. */
function dateIn(random: Random, seconds: number): string | null {
  const [day = '', date = '', month = '', year = '', time = ''] = imfDate(seconds).split(' ');
  return random.pick([
    null,
    '',
    '0',
    String(seconds),
    new Date(seconds * 1_000).toISOString(),
    `${day.slice(0, 3)} ${month} ${date} ${time} ${year}`,
    `${day} ${date} ${month} ${year} ${time}`,
  ]);
}
