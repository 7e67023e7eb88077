import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobDetail } from '#src/shared/contract/jobsContract.ts';
import { bodyOf } from '#src/tests/contract/http.ts';
import type { Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { monthIn, readMonthJob, startMonth, yearToYesterday } from './months.ts';
import { type SignedInPerson, signInPerson } from './person.ts';
import { faultFor, HELD, newMerchant, release, requestsReceived } from './service.ts';
import { shareJournal, type SharedJournal } from './shared.ts';
import { until } from './until.ts';

let journal: SharedJournal;
let left: Dashboard;
let right: Dashboard;

beforeAll(async () => {
  journal = await shareJournal();
  left = await journal.start(journal.newFolder());
  right = await journal.start(journal.newFolder());
});
afterAll(async () => {
  await left.stop();
  await right.stop();
  await journal.stop();
});

const REQUEST = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} };

async function start(person: SignedInPerson): Promise<string> {
  const answer = await person.ask('/api/jobs', 'POST', REQUEST);
  expect(answer.status).toBe(201);
  return bodyOf<JobDetail>(answer).id;
}

const jobOf = async (person: SignedInPerson, id: string) => bodyOf<JobDetail>(await person.ask(`/api/jobs/${id}`));

async function jobIn(person: SignedInPerson, id: string, state: JobDetail['state']): Promise<JobDetail> {
  await until(`the export is ${state}`, async () => (await jobOf(person, id)).state === state);
  return jobOf(person, id);
}

async function hashOfFile(person: SignedInPerson, id: string): Promise<string> {
  const { text } = await person.ask(`/api/jobs/${id}/file`);
  // A text without its byte order mark, which the file begins with.
  return createHash('sha256').update(`\uFEFF${text}`).digest('hex');
}

test.each(['kill', 'stop'] as const)(
  'a server that ends by %s in the middle of an export: another continues it to the file of an undisturbed one',
  async (how) => {
    const merchant = await newMerchant(350);
    const one = await signInPerson(left.baseUrl, merchant);
    const other = await signInPerson(right.baseUrl, merchant);
    const whole = await jobIn(other, await start(other), 'done');
    expect(await hashOfFile(other, whole.id)).toBe(whole.file?.sha256);
    const before = (await requestsReceived(merchant)).length;

    // Passes the read of the oldest row, and two pages.
    await faultFor(merchant, { path: '/v1/deposits', times: 3, patch: {} });
    await faultFor(merchant, { path: '/v1/deposits', times: 99, ...HELD });
    const id = await start(one);
    await until('two pages are saved', async () => (await jobOf(other, id)).rows === 200);
    await left[how]();
    await journal.endLeases();
    const stopped = await jobIn(other, id, 'stopped');
    expect(stopped).toMatchObject({ rows: 200, problem: { code: 'server-restarted' }, file: { complete: false } });
    expect(await hashOfFile(other, id)).toBe(stopped.file?.sha256);

    await release(merchant);
    expect((await other.ask(`/api/jobs/${id}/continue`, 'POST', {})).status).toBe(200);
    const done = await jobIn(other, id, 'done');
    expect([done.rows, done.file?.sha256]).toEqual([350, whole.file?.sha256]);
    expect(await hashOfFile(other, id)).toBe(whole.file?.sha256);
    // The oldest row, two pages, the third one twice, and the last.
    expect((await requestsReceived(merchant)).slice(before)).toHaveLength(6);
    left = await journal.start(journal.newFolder());
  },
);

test.each(['kill', 'stop'] as const)(
  'a server that ends by %s while it reads a month: another continues to the reading of an undisturbed one',
  async (how) => {
    const merchant = await newMerchant(350);
    const one = await signInPerson(left.baseUrl, merchant);
    const other = await signInPerson(right.baseUrl, merchant);
    const year = yearToYesterday();
    const whole = await monthIn(other, await startMonth(other, year), 'done');
    expect(whole.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await other.ask(`/api/jobs/${whole.id}`, 'DELETE')).status).toBe(204);

    await faultFor(merchant, { path: '/v1/deposits', times: 2, patch: {} });
    await faultFor(merchant, { path: '/v1/deposits', times: 99, ...HELD });
    const id = await startMonth(one, year);
    await until('two pages are saved', async () => (await readMonthJob(other, id)).progress?.rows === 200);
    await left[how]();
    await journal.endLeases();
    expect((await monthIn(other, id, 'stopped')).problem?.code).toBe('server-restarted');

    await release(merchant);
    expect((await other.ask(`/api/jobs/${id}/continue`, 'POST', {})).status).toBe(200);
    expect((await monthIn(other, id, 'done')).sha256).toBe(whole.sha256);
    left = await journal.start(journal.newFolder());
  },
);
