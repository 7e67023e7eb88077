import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { ACCOUNT, operationRecord, SERVICE } from '#src/server/operations/testAnswers.ts';
import { clearJournal, insertRecord, replaceRecord } from '#src/server/operations/testSqlRows.ts';
import type { Channel, Delivery, NoticeMessage } from './channel.ts';
import { createDelivery, type DeliveryParts } from './delivery.ts';
import { monthNotices } from './monthNotices.ts';
import { createRaise } from './outbox.ts';
import { readNow } from '#src/server/people/sessionAge.ts';
import { BACK_OFF_MS } from './outboxRows.ts';
import { migrateNotices } from './schema.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 1_790_000_000_000;

let database: Database;
/** The database's clock. */
let time = START;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrateNotices(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  time = START;
  await database.script('truncate notices.outbox, notices.channels');
});

const CAUSE: NoticeCause = {
  service: 'https://pay.example',
  account: 'account-1',
  event: 'operation.unconfirmed',
  subject: 'key-1',
  episode: '3',
};

const raise = createRaise(['webhook'], (line) => {
  throw new Error(line);
});
const raised = (more: Partial<NoticeCause> = {}) =>
  database.transaction((tx) => raise(tx, { ...CAUSE, ...more }, time));

function testChannel(answer: (call: number) => Delivery, more: Partial<Channel> = {}) {
  const sent: NoticeMessage[] = [];
  const channel: Channel = {
    name: 'webhook',
    host: 'hooks.example',
    address: 'https://hooks.example/token',
    send: async (message) => {
      sent.push(message);
      return answer(sent.length);
    },
    ...more,
  };
  return { channel, sent };
}

const DELIVERED: Delivery = { kind: 'sent' };
const FAILED: Delivery = { kind: 'failed', problem: 'The receiver responded 500.' };
const GONE: Delivery = { kind: 'gone', problem: 'The receiver responded 410.' };

function deliveryTo(channels: readonly Channel[], more: Partial<DeliveryParts> = {}) {
  return createDelivery({
    database,
    service: CAUSE.service,
    channels,
    origin: 'https://money.example',
    namesOf: async () => ({}),
    recipients: null,
    noteRoleNotice: null,
    accountName: () => null,
    macOf: (address) => `mac of ${address}`,
    now: async () => time,
    random: () => 0,
    warn: () => undefined,
    ...more,
  });
}

const states = async () => {
  const rows = await database.query<{ state: string; count: string }>(
    'select state, count(*)::text as count from notices.outbox group by state order by state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
};

test('a notice is sent once, with the recipient’s name and a link', async () => {
  await raised();
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel], {
    namesOf: async ({ subject }) => ({ recipient: `Acme <@all> of ${subject}` }),
  });
  await delivery.tick();
  await delivery.tick();
  expect(sent).toEqual([
    {
      id: expect.stringMatching(/^msg_[\w-]{24}$/),
      event: 'operation.unconfirmed',
      at: START / 1_000,
      account: null,
      recipient: 'Acme all of key-1',
      count: 1,
      text: 'A withdrawal to Acme all of key-1 is unconfirmed. Don’t pay it again until it is resolved.',
      link: 'https://money.example/operations/key-1',
    },
  ]);
  expect(await states()).toEqual({ sent: 1 });
});

test('a notice about several recipients is one message without names, with a link to their list', async () => {
  await raised({ event: 'recipient.waiting', subject: 'recipient-1', count: 500 });
  const { channel, sent } = testChannel(() => DELIVERED);
  await deliveryTo([channel], { namesOf: async () => ({ recipient: 'Acme' }) }).tick();
  expect(sent).toMatchObject([{ count: 500, recipient: null, link: 'https://money.example/recipients' }]);
  expect(sent[0]?.text).toMatch(/^500 recipients/);
});

test('a digest adds up the counts of its causes', async () => {
  for (let n = 0; n < 7; n += 1)
    await raised({ event: 'recipient.waiting', subject: `recipient-${n}`, episode: String(n), count: 100 });
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel]);
  for (let n = 0; n < 7; n += 1) await delivery.tick();
  expect(sent.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([100, 100, 100, 100, 100, 200]);
});

test('each waiting role in a delivered notice or digest is recorded as told', async () => {
  for (let n = 0; n < 7; n += 1) await raised({ event: 'role.waiting', subject: `person-${n}`, episode: `given ${n}` });
  await raised({ event: 'recipient.waiting', subject: 'recipient', episode: '1' });
  const noted: string[] = [];
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel], {
    noteRoleNotice: async ({ subject, episode, reader }) => void noted.push(`${subject} ${episode} ${reader}`),
  });
  for (let n = 0; n < 8; n += 1) await delivery.tick();
  expect(sent).toHaveLength(7);
  expect(noted.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `person-${n} given ${n} null`));
});

test('a notice whose told roles couldn’t be recorded is sent again', async () => {
  await raised({ event: 'role.waiting', subject: 'person', episode: 'given 1' });
  const { channel, sent } = testChannel(() => DELIVERED);
  let isAway = true;
  const delivery = deliveryTo([channel], {
    noteRoleNotice: async () => {
      if (isAway) throw new Error('The database is away.');
    },
  });
  await delivery.tick();
  expect(await states()).toEqual({ waiting: 1 });
  isAway = false;
  await delivery.tick();
  expect(await states()).toEqual({ sent: 1 });
  expect(sent).toHaveLength(2);
});

test('a cause raises one notice per episode and channel', async () => {
  await raised();
  await raised();
  await raised({ episode: '4' });
  await raised({ account: null, event: 'journal.set-back', subject: '' });
  await raised({ account: null, event: 'journal.set-back', subject: '' });
  expect(await states()).toEqual({ waiting: 3 });
});

test('a cause that is rolled back raises no notice', async () => {
  const failure = new Error('The payment’s transaction failed.');
  const failing = database.transaction(async (tx) => {
    await raise(tx, CAUSE, time);
    throw failure;
  });
  await expect(failing).rejects.toBe(failure);
  expect(await states()).toEqual({});
});

test('a notice that can’t be written doesn’t roll back its cause, and is logged', async () => {
  const lines: string[] = [];
  const unwritable = createRaise(['webhook'], (line) => lines.push(line));
  await database.transaction(async (tx) => {
    await tx.query(`insert into notices.channels (channel, address_mac) values ('cause', 'of it')`);
    // PostgreSQL rejects text with a zero byte.
    await unwritable(tx, { ...CAUSE, subject: 'a\0b' }, time);
    await tx.query(`update notices.channels set problem = 'went on' where channel = 'cause'`);
  });
  const rows = await database.query('select channel, problem from notices.channels');
  expect(rows).toEqual([{ channel: 'cause', problem: 'went on' }]);
  expect(lines).toEqual([expect.stringContaining('operation.unconfirmed')]);
});

test('without channels nothing is written', async () => {
  await database.transaction((tx) => createRaise([], () => undefined)(tx, CAUSE, time));
  expect(await states()).toEqual({});
});

test('a receiver that answers 500 for a day gets the same id on each try, and nothing after the first success', async () => {
  await raised();
  const { channel, sent } = testChannel(() => (time - START < DAY ? FAILED : DELIVERED));
  const delivery = deliveryTo([channel]);
  const tries: number[] = [];
  for (; time - START < 2 * DAY; time += 600_000) {
    const before = sent.length;
    await delivery.tick();
    if (sent.length > before) tries.push(time - START);
  }
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(tries).toHaveLength(8);
  expect(tries.at(-2)).toBeLessThan(DAY);
  expect(tries.at(-1)).toBeGreaterThan(DAY);
  expect(await states()).toEqual({ sent: 1 });
  const [row] = await database.query('select failing_since::text, problem, sent_at::text from notices.channels');
  expect(row).toEqual({ failing_since: null, problem: null, sent_at: String(START + (tries.at(-1) ?? 0)) });
});

test('a notice that fails for three days is a dead letter', async () => {
  await raised();
  const { channel, sent } = testChannel(() => FAILED);
  const delivery = deliveryTo([channel]);
  const steps = [0, ...BACK_OFF_MS];
  for (const step of steps) {
    time += step;
    await delivery.tick();
  }
  expect(sent).toHaveLength(steps.length);
  expect(time - START).toBeGreaterThan(3 * DAY);
  expect(await states()).toEqual({ dead: 1 });
  time += 7 * DAY;
  await delivery.tick();
  expect(sent).toHaveLength(steps.length);
});

test('a receiver that asks to wait longer gets no earlier try', async () => {
  await raised();
  const { channel, sent } = testChannel(() => ({ kind: 'failed', problem: '429', waitMs: HOUR }));
  const delivery = deliveryTo([channel]);
  await delivery.tick();
  time += HOUR - 1;
  await delivery.tick();
  expect(sent).toHaveLength(1);
  time += 1;
  await delivery.tick();
  expect(sent).toHaveLength(2);
});

test('410 turns the channel off, also after a restart, until its address changes', async () => {
  await raised();
  await raised({ subject: 'key-2' });
  const { channel, sent } = testChannel((call) => (call === 1 ? GONE : DELIVERED));
  const first = deliveryTo([channel]);
  await first.tick();
  await first.tick();
  expect(sent).toHaveLength(1);
  expect(await states()).toEqual({ dead: 1, waiting: 1 });

  const again = deliveryTo([channel]);
  await again.open();
  await again.tick();
  expect(sent).toHaveLength(1);

  const elsewhere = deliveryTo([{ ...channel, address: 'https://other.example' }]);
  await elsewhere.open();
  await elsewhere.tick();
  expect(sent).toHaveLength(2);
  expect(await states()).toEqual({ dead: 1, sent: 1 });
});

test('notices that waited for a digest of a channel that was removed are one dead letter', async () => {
  for (let n = 0; n < 9; n += 1) await raised({ subject: `withdrawal wd_${n}` });
  expect(await states()).toEqual({ waiting: 5, held: 4 });
  await deliveryTo([]).tick();
  expect(await states()).toEqual({ waiting: 6, folded: 4 });
  time += 3 * DAY + 1;
  await deliveryTo([]).tick();
  expect(await states()).toEqual({ dead: 6, folded: 4 });
});

test('a notice for a channel that stays off for three days is a dead letter', async () => {
  await raised();
  time += 3 * DAY + 1;
  await deliveryTo([]).tick();
  expect(await states()).toEqual({ dead: 1 });
});

test('a notice that waited for days without a server is sent', async () => {
  await raised();
  time += 5 * DAY;
  const { channel, sent } = testChannel(() => DELIVERED);
  await deliveryTo([channel]).tick();
  expect(sent).toHaveLength(1);
});

test('a failing channel raises a notice on the other channels', async () => {
  await raised();
  const failing = testChannel(() => GONE);
  const other = testChannel(() => DELIVERED, { name: 'other' });
  const delivery = deliveryTo([failing.channel, other.channel]);
  await delivery.tick();
  await delivery.tick();
  expect(failing.sent).toHaveLength(1);
  expect(other.sent.map(({ event }) => event)).toEqual(['channel.failing']);
});

test('a notice whose server dies while sending it is sent by the next server', async () => {
  await raised();
  // This server claims the notice and never finishes.
  let reached = (): void => undefined;
  const sending = new Promise<void>((resolve) => (reached = resolve));
  const { channel } = testChannel(() => DELIVERED);
  const dying = deliveryTo([{ ...channel, send: () => (reached(), new Promise<Delivery>(() => undefined)) }]);
  void dying.tick();
  await sending;
  const next = testChannel(() => DELIVERED);
  const delivery = deliveryTo([next.channel]);
  await delivery.tick();
  expect(next.sent).toEqual([]);
  time += 60_001;
  await delivery.tick();
  expect(next.sent).toHaveLength(1);
  expect(await states()).toEqual({ sent: 1 });
});

test('a server that was thought dead doesn’t overwrite the result of the next one', async () => {
  await raised();
  let fail = (): void => undefined;
  let reached = (): void => undefined;
  const sending = new Promise<void>((resolve) => (reached = resolve));
  const { channel } = testChannel(() => DELIVERED);
  const held = new Promise<Delivery>((resolve) => (fail = () => resolve(FAILED)));
  const late = deliveryTo([{ ...channel, send: () => (reached(), held) }]).tick();
  await sending;
  time += 60_001;
  await deliveryTo([channel]).tick();
  fail();
  await late;
  expect(await states()).toEqual({ sent: 1 });
});

describe('in the journal’s transactions', () => {
  const eventsOf = async () => {
    const rows = await database.query<{ event: string; account: string | null; subject: string }>(
      'select event, account, subject from notices.outbox order by event, subject',
    );
    return rows.map(({ event, account, subject }) => [event, account, subject]);
  };
  const sending = operationRecord({ key: 'paid', state: 'sending' });
  const unconfirmed = operationRecord({ key: 'paid', state: 'unconfirmed', reason: 'no-answer', revision: 1 });

  test('a change of an operation and its notice are written in one transaction', async () => {
    const rows = await openSqlRows(database, { mode: 'key', ...OWN_PARTS, raise });
    await insertRecord(rows, sending);
    const failure = new Error('The transaction fails after it.');
    const failing = rows.write(async (transaction) => {
      await transaction.replace(unconfirmed, sending);
      throw failure;
    });
    await expect(failing).rejects.toThrow();
    expect(await eventsOf()).toEqual([]);
    await replaceRecord(rows, unconfirmed, sending);
    expect(await eventsOf()).toEqual([['operation.unconfirmed', ACCOUNT, 'paid']]);
    await clearJournal(database);
  });

  test('a journal without channels writes no notice', async () => {
    const rows = await openSqlRows(database);
    await insertRecord(rows, sending);
    await replaceRecord(rows, unconfirmed, sending);
    expect(await eventsOf()).toEqual([]);
    await clearJournal(database);
  });

  test('a set-back of the journal raises notices of itself and of the payments that it made unconfirmed', async () => {
    const rows = await openSqlRows(database, { mode: 'key', ...OWN_PARTS, raise });
    const ready = operationRecord({ key: 'waits', state: 'ready' });
    await insertRecord(rows, ready);
    const { id, position } = await rows.facts();
    await rows.write(async (transaction) => {
      await transaction.setBack(time, { id, position, nonce: 'lost' });
      const by = { service: SERVICE, account: null, person: null, who: null };
      await transaction.note(by, { kind: 'journal.set-back', subject: null, facts: {} });
      await transaction.replace({ ...ready, state: 'unconfirmed', reason: 'no-answer', revision: 1 }, ready);
    });
    expect(await eventsOf()).toEqual([
      ['journal.set-back', null, ''],
      ['operation.unconfirmed', ACCOUNT, 'waits'],
    ]);
    await clearJournal(database);
  });

  test('an invite on the console raises a notice of its own', async () => {
    await openSqlRows(database);
    const activityWriter = createActivityWriter('key', { ...OWN_PARTS, raise });
    const invited = { kind: 'person.invited', subject: 'bo', facts: { roles: 'admin' } } as const;
    await database.transaction(async (tx) => {
      const { now } = await activityWriter.begin(tx);
      for (const by of [
        { person: null, who: null },
        { person: 'ada', who: 'Ada' },
      ])
        await activityWriter.note(tx, { service: SERVICE, account: ACCOUNT, ...by }, invited, now);
    });
    expect(await eventsOf()).toEqual([
      ['console.invited', ACCOUNT, 'bo'],
      ['person.changed', ACCOUNT, 'bo'],
    ]);
  });

  test('changes of a person’s access raise notices, other activity of people does not', async () => {
    await openSqlRows(database);
    const activityWriter = createActivityWriter('key', { ...OWN_PARTS, raise });
    const by = { service: SERVICE, account: ACCOUNT, person: 'ada', who: 'Ada' };
    await database.transaction(async (tx) => {
      const { now } = await activityWriter.begin(tx);
      for (const kind of ['person.changed', 'passkey.added', 'person.signed-out'] as const)
        await activityWriter.note(tx, by, { kind, subject: 'bo', facts: { roles: 'admin' } }, now);
    });
    expect(await eventsOf()).toEqual([
      ['passkey.added', ACCOUNT, 'bo'],
      ['person.changed', ACCOUNT, 'bo'],
    ]);
  });
});

/** Number of failed payments. */
const FLOOD = DEEP ? 5_000 : 500;

test('a flood of failed payments becomes five messages and one digest an hour', async () => {
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel]);
  for (let n = 0; n < FLOOD; n += 100) {
    await database.transaction(async (tx) => {
      for (let at = n; at < n + 100; at += 1)
        await raise(tx, { ...CAUSE, event: 'payment.failed', subject: `withdrawal wd_${at}` }, time);
    });
    await delivery.tick();
  }
  for (; time < START + 3 * HOUR; time += 600_000) await delivery.tick();
  expect(sent.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 95, FLOOD - 100]);
  expect(sent.reduce((sum, { count }) => sum + count, 0)).toBe(FLOOD);
  const digest = sent.at(-1);
  expect(digest).toMatchObject({
    text: `${(FLOOD - 100).toLocaleString('en')} payments failed.`,
    link: 'https://money.example/',
    recipient: null,
  });
  expect(await states()).toEqual({ folded: FLOOD - 5, sent: 7 });
});

test('a month raises a notice each time it is prepared, and one reminder', async () => {
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel]);
  const { onPrepared, onReminder } = monthNotices(raise);
  const month = { service: SERVICE, account: ACCOUNT, from: 1_790_000_000 };
  for (const tell of [onPrepared, onReminder, onReminder, onPrepared])
    await database.transaction((tx) => tell(tx, month));
  // These notices were written with the database's real time.
  await database.query('update notices.outbox set next_at = $1', [String(time)]);
  for (let n = 0; n < 4; n += 1) await delivery.tick();
  expect(sent.map(({ event }) => event).toSorted()).toEqual(['month.due', 'month.prepared', 'month.prepared']);
  expect(sent.map(({ link }) => link)).toContain('https://money.example/month-close');
});

test('withdrawals from elsewhere are only sent as a digest', async () => {
  const { channel, sent } = testChannel(() => DELIVERED);
  const delivery = deliveryTo([channel]);
  await raised({ event: 'payment.outside', subject: 'withdrawal wd_1' });
  await delivery.tick();
  await raised({ event: 'payment.outside', subject: 'withdrawal wd_2' });
  await raised({ event: 'payment.outside', subject: 'withdrawal wd_3' });
  await delivery.tick();
  expect(sent.map(({ count }) => count)).toEqual([1]);
  time += HOUR;
  await delivery.tick();
  expect(sent.map(({ count }) => count)).toEqual([1, 2]);
});

test('a flood on one account doesn’t affect other accounts and events', async () => {
  for (let n = 0; n < 9; n += 1) await raised({ subject: `key-${n}` });
  await raised({ account: 'account-2' });
  await raised({ event: 'operation.mismatch' });
  expect(await states()).toEqual({ held: 4, waiting: 7 });
});

test('the log contains the channel’s host, not its address', async () => {
  await raised();
  const warn = vi.fn<(line: string) => void>();
  await deliveryTo([testChannel(() => FAILED).channel], { warn }).tick();
  expect(warn.mock.calls).toEqual([['Notices: webhook (hooks.example): The receiver responded 500.']]);
});

test('a failing channel is recorded with the database’s own clock on PGlite’s one connection', async () => {
  time = await readNow(database);
  await raised();
  const { channel, sent } = testChannel(() => GONE);
  const other = testChannel(() => DELIVERED, { name: 'other' });
  await deliveryTo([channel, other.channel], { now: readNow }).tick();
  expect(sent).toHaveLength(1);
  expect(await states()).toEqual({ dead: 1, waiting: 1 });
});
