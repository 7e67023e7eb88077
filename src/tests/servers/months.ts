import { expect } from 'vitest';
import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';
import type { MonthJob, MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import { bodyOf } from '#src/tests/contract/http.ts';
import type { SignedInPerson } from './person.ts';
import { until } from './until.ts';

const DAY = 86_400;

/** The reading of a year that ended yesterday, so that it can be closed. */
export function yearToYesterday(): MonthRequest {
  const to = Math.floor(Date.now() / 1000) - DAY;
  return { kind: 'month-close', task: 'prepare', from: to - 365 * DAY, to, closed: 0, reading: null };
}

export async function startMonth(person: SignedInPerson, request: MonthRequest): Promise<string> {
  const answer = await person.ask(JOBS_PATH, 'POST', request);
  expect(answer.status, answer.text).toBe(201);
  return bodyOf<MonthJob>(answer).id;
}

export async function readMonthJob(person: SignedInPerson, id: string): Promise<MonthJob> {
  return bodyOf<MonthJob>(await person.ask(`${JOBS_PATH}/${id}`));
}

export async function monthIn(person: SignedInPerson, id: string, state: MonthJob['state']): Promise<MonthJob> {
  await until(`the month is ${state}`, async () => (await readMonthJob(person, id)).state === state);
  return readMonthJob(person, id);
}
