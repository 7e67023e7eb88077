import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { MailPerson } from '#src/server/people/emails.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import type { Permission } from '#src/shared/permissions.ts';
import type { Channel, Delivery, NoticeMessage } from './channel.ts';
import { createDelivery } from './delivery.ts';
import { createMailRecipients } from './mailRecipients.ts';
import { createNotices } from './notices.ts';
import { createRaise } from './outbox.ts';
import { BACK_OFF_MS } from './outboxRows.ts';
import { migrateNotices, NOTICE_MIGRATIONS } from './schema.ts';
import { DEEP } from '#src/tests/depth.ts';

const START = 1_790_000_000_000;
const HOUR = 3_600_000;

let database: Database;
let time = START;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrateNotices(database);
  await migratePeople(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  time = START;
  await database.script('truncate notices.outbox, notices.channels');
});

const CAUSE: NoticeCause = {
  service: 's',
  account: 'a',
  event: 'operation.unconfirmed',
  subject: 'key-1',
  episode: '3',
};
const DELIVERED: Delivery = { kind: 'sent' };

type TestPerson = MailPerson & { permissions: Permission[] };
const ADA: TestPerson = { id: 'ada', name: 'Ada', email: 'ada@x.example', permissions: ['view', 'prepare'] };
const BO: TestPerson = { id: 'bo', name: 'Bo', email: 'bo@x.example', permissions: ['view', 'approve'] };
const CY: TestPerson = { id: 'cy', name: 'Cy', email: 'cy@x.example', permissions: ['view', 'admin'] };
const DI: TestPerson = { id: 'di', name: 'Di', email: 'di@x.example', permissions: ['view'] };

/** A test may change `people`. */
function setUp(
  people: TestPerson[],
  {
    maker = null,
    answer = () => DELIVERED,
  }: { maker?: string | null; answer?: (message: NoticeMessage) => Delivery } = {},
) {
  const sent: NoticeMessage[] = [];
  const mail: Channel = {
    name: 'mail',
    host: 'mail.example',
    address: 'smtp',
    send: async (message) => (sent.push(message), answer(message)),
  };
  const peopleWith = async (_: string | null, needs: readonly Permission[]) =>
    people
      .filter(({ permissions }) => permissions.some((one) => needs.includes(one)))
      .map(({ id, name, email }) => ({ id, name, email }));
  const channels = [mail];
  const delivery = createDelivery({
    database,
    service: CAUSE.service,
    channels,
    origin: 'https://money.example',
    namesOf: async () => ({}),
    recipients: createMailRecipients({ peopleWith, makerOf: async () => maker }),
    noteRoleNotice: null,
    accountName: () => null,
    macOf: (address) => address,
    now: async () => time,
    random: () => 0,
    warn: () => undefined,
  });
  const raise = createRaise(['mail'], (line) => {
    throw new Error(line);
  });
  const raised = (more: Partial<NoticeCause> = {}) =>
    database.transaction((tx) => raise(tx, { ...CAUSE, ...more }, time));
  const ticks = async (count: number) => {
    for (let n = 0; n < count; n += 1) await delivery.tick();
  };
  const view = createNotices({
    database,
    channels,
    readSessionRights: async () => null,
    activityWriter: {
      begin: async () => ({ now: time }),
      note: async () => undefined,
      endUnsentOf: async () => undefined,
    },
    peopleWith,
  });
  return { sent, raised, ticks, delivery, read: () => view.read({ service: 's', account: 'a' }) };
}

const addresses = (sent: readonly NoticeMessage[]) =>
  sent.map(({ email = '' }) => email).toSorted((a, b) => (a < b ? -1 : 1));
const states = async () =>
  (
    await database.query<Record<'person' | 'state', string>>(
      `select coalesce(person, '') as person, state from notices.outbox order by coalesce(person, ''), state`,
    )
  ).map(({ person, state }) => `${person} ${state}`.trim());

test('each person who can act on a notice gets one mail, except the maker of the payment', async () => {
  const { sent, raised, ticks } = setUp([ADA, BO, CY, DI, { ...ADA, id: 'eve', email: 'eve@x.example' }], {
    maker: 'ada',
  });
  await raised();
  await raised();
  await ticks(8);
  // Only operators and approvers can check: Cy is only an admin, Di a viewer.
  expect(addresses(sent)).toEqual(['bo@x.example', 'eve@x.example']);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  expect(sent[0]).toMatchObject({
    text: 'A withdrawal is unconfirmed. Don’t pay it again until it is resolved.',
    link: 'https://money.example/operations/key-1',
  });
  await raised();
  await ticks(3);
  expect(sent).toHaveLength(2);
  expect(await states()).toEqual(['ended', 'bo sent', 'eve sent']);
});

test('the person who named recipients gets no mail about them, and the others get one about all', async () => {
  const { sent, raised, ticks } = setUp([ADA, BO, { ...CY, id: 'eve', email: 'eve@x.example' }], { maker: 'eve' });
  await raised({ event: 'recipient.waiting', subject: 'recipient-1', count: 3 });
  await ticks(4);
  expect(addresses(sent)).toEqual(['bo@x.example']);
  expect(sent[0]?.text).toMatch(/^3 recipients/);
});

test('a decision about a payment is sent only to its maker', async () => {
  const { sent, raised, ticks } = setUp([ADA, BO, CY], { maker: 'ada' });
  await raised({ event: 'operation.rejected' });
  await ticks(4);
  expect(addresses(sent)).toEqual(['ada@x.example']);
});

test('of a batch that waits for approval its maker gets no mail, of a decision about it they do', async () => {
  const { sent, raised, ticks } = setUp([{ ...ADA, permissions: ['view', 'prepare', 'approve'] }, BO], {
    maker: 'ada',
  });
  await raised({ event: 'batch.awaiting', subject: 'batch-1' });
  await ticks(4);
  expect(addresses(sent)).toEqual(['bo@x.example']);
  await raised({ event: 'batch.rejected', subject: 'batch-1' });
  await ticks(4);
  expect(addresses(sent.slice(1))).toEqual(['ada@x.example']);
});

test('a person who lost the permission or the address before the mail was sent gets nothing', async () => {
  const people = [BO, { ...BO, id: 'eve', email: 'eve@x.example' }, { ...BO, id: 'fay', email: 'fay@x.example' }];
  const { sent, raised, ticks } = setUp(people, {
    answer: () => (time === START ? { kind: 'failed', problem: '451' } : DELIVERED),
  });
  await raised();
  await ticks(3);
  expect(sent.splice(0)).toHaveLength(3);
  people.splice(0, 3, BO, { ...BO, id: 'fay', email: null });
  time += HOUR;
  await ticks(3);
  expect(addresses(sent)).toEqual(['bo@x.example']);
  expect(await states()).toEqual(['ended', 'bo sent', 'eve ended', 'fay ended']);
});

test('a notice is a dead letter if nobody who can act has an address, and can be sent again when somebody has one', async () => {
  const people = [{ ...BO, email: null }, DI];
  const { sent, raised, ticks, read } = setUp(people);
  await raised();
  await ticks(2);
  expect(sent).toEqual([]);
  const { data, without_address: missing } = await read();
  expect(data).toMatchObject([
    { state: 'dead', person: null, problem: 'Nobody who can act on it has an e-mail address.' },
  ]);
  expect(missing).toEqual(['Bo']);
  people[0] = BO;
  await database.query(`update notices.outbox set state = 'waiting', tries = 0, done_at = null`);
  await ticks(3);
  expect(addresses(sent)).toEqual(['bo@x.example']);
  expect((await read()).without_address).toEqual([]);
});

test('a maker who is the only person who can act gets no mail, and the notice is not a dead letter', async () => {
  const { sent, raised, ticks } = setUp([ADA], { maker: 'ada' });
  await raised();
  await ticks(2);
  expect(sent).toEqual([]);
  expect(await states()).toEqual(['ended']);
});

test('one person’s refused address is a dead letter at once, and the channel still works', async () => {
  const { sent, raised, ticks, read } = setUp([BO, { ...BO, id: 'eve', email: 'gone@x.example' }], {
    answer: ({ email }) => (email === 'gone@x.example' ? { kind: 'refused', problem: '550' } : DELIVERED),
  });
  await raised();
  await ticks(4);
  expect(sent).toHaveLength(2);
  expect(await states()).toEqual(['ended', 'bo sent', 'eve dead']);
  expect((await read()).channels).toMatchObject([{ failing_since: null, sent_at: START / 1_000 }]);
});

test('a mail server that is away for hours gets the same message on each try', async () => {
  const { sent, raised, ticks } = setUp([BO], {
    answer: () => (time - START < 2 * HOUR ? { kind: 'failed', problem: '451' } : DELIVERED),
  });
  await raised();
  await ticks(2);
  for (const wait of BACK_OFF_MS.slice(0, 4)) {
    time += wait;
    await ticks(1);
  }
  expect(sent).toHaveLength(5);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(await states()).toEqual(['ended', 'bo sent']);
});

test('a flood is five mails and one digest an hour for each person', async () => {
  const { sent, raised, ticks } = setUp([BO, { ...BO, id: 'eve', email: 'eve@x.example' }]);
  for (let n = 0; n < 9; n += 1) await raised({ subject: `key-${n}` });
  await ticks(40);
  time += HOUR;
  await ticks(4);
  const counts = (email: string) => sent.filter((each) => each.email === email).map(({ count }) => count);
  expect(counts('bo@x.example')).toEqual([1, 1, 1, 1, 1, 4]);
  expect(counts('eve@x.example')).toEqual([1, 1, 1, 1, 1, 4]);
  expect(sent.at(-1)?.text).toBe('4 withdrawals became unconfirmed. Don’t pay any of them again until it is resolved.');
});

test('a flood is split and summarised within a minute, and delays no mail about an approval', async () => {
  const { sent, raised, ticks } = setUp([BO]);
  const PAYMENTS = 120;
  const failed = (n: number): Partial<NoticeCause> => ({ event: 'payment.failed', subject: `deposit dep_${n}` });
  for (let n = 0; n < PAYMENTS; n += 1) await raised(failed(n));
  time += 1_000;
  await raised({ event: 'operation.awaiting', subject: 'key-1' });
  await ticks(1);
  expect(sent.map(({ event }) => event)).toEqual(['operation.awaiting']);
  for (let seconds = 0; seconds < 10; seconds += 1) {
    time += 1_000;
    await ticks(1);
  }
  // One digest of all but the first five, not of the part that had been split when it was made.
  expect(sent.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, PAYMENTS - 5]);
});

test('a former address gets a mail about the change, whoever it belongs to now', async () => {
  const { sent, raised, ticks } = setUp([]);
  const to = { person: 'bo', email: 'former@x.example' };
  await raised({ event: 'email.changed', subject: 'bo', to });
  await ticks(1);
  expect(sent).toMatchObject([
    {
      email: 'former@x.example',
      text: 'The e-mail address of a person was changed. If you didn’t expect this, tell an admin.',
    },
  ]);
});

test('everybody is told of an invite on the server’s console, not only admins', async () => {
  const { sent, raised, ticks } = setUp([ADA, BO, CY, DI]);
  await raised({ event: 'console.invited', subject: 'eve' });
  await ticks(6);
  expect(addresses(sent)).toEqual(['ada@x.example', 'bo@x.example', 'cy@x.example', 'di@x.example']);
});

test('a blocked person gets the mail that says so', async () => {
  const { sent, raised, ticks } = setUp([CY]);
  await raised({ event: 'access.blocked', subject: 'bo', to: { person: 'bo', email: 'bo@x.example' } });
  await ticks(2);
  expect(sent.map(({ email, text }) => [email, text])).toEqual([
    ['bo@x.example', 'A person was blocked and signed out. If you didn’t expect this, ask an admin.'],
  ]);
});

test('a change of an address is sent on no other channel', async () => {
  const raise = createRaise(['webhook'], () => undefined);
  const to = { person: 'bo', email: 'former@x.example' };
  await database.transaction((tx) => raise(tx, { ...CAUSE, event: 'email.changed', subject: 'bo', to }, time));
  expect(await states()).toEqual([]);
});

test.runIf(DEEP)('a database of the previous version keeps its notices, and accepts e-mail', async () => {
  const old = await openDatabase({ directory: 'memory' });
  await migrate(old, 'notices', NOTICE_MIGRATIONS.slice(0, 2));
  await old.query(
    `insert into notices.outbox (id, service, event, subject, episode, channel, state, at, next_at)
     values ('msg_1', 's', 'test', '', '1', 'webhook', 'dead', 1, 1)`,
  );
  await migrateNotices(old);
  await old.query(`update notices.outbox set state = 'ended', email = 'a@x.example'`);
  await expect(old.query(`update notices.outbox set state = 'other'`)).rejects.toThrow('outbox_state_check');
  expect(await old.query('select id, state from notices.outbox')).toEqual([{ id: 'msg_1', state: 'ended' }]);
  await old.close();
});
