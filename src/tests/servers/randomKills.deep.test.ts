import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HttpAnswer } from '#src/tests/contract/http.ts';
import { note } from './figures.ts';
import { endLeases, newDirectory, startOn } from './house.ts';
import { saysNotSent, signInPerson, viewIn, type SignedInPerson, type Wish } from './person.ts';
import { resolve, someAnswered, unlessGone } from './resolve.ts';
import { executed, newMerchant, posts, requestsReceived, type Merchant } from './service.ts';
import { until } from './until.ts';
import { wishesOf } from './wishes.ts';

/** After each batch, people resolve the open operations, and a new account begins. */
const KILLS_A_BATCH = 8;
const BATCHES = 125;
const AT_ONCE = 6;

const DIRECTORY = newDirectory('random');
const count: Record<string, number> = { kills: 0, keys: 0, doubles: 0 };

interface Life {
  merchant: Merchant;
  person: SignedInPerson;
  next: () => Wish;
  wishes: Wish[];
  /** Withdrawals the account was created with. */
  withdrawalsBefore: number;
}

/** Starts several operations at once and kills the server at a random moment. */
async function killMeanwhile({ person, next, wishes }: Life, port: number): Promise<void> {
  const server = await startOn(DIRECTORY, {}, port);
  const requests = Array.from({ length: AT_ONCE }, async () => {
    const wish = next();
    wishes.push(wish);
    await wait(Math.random() * 100);
    return unlessGone(person.put(wish));
  });
  await someAnswered(requests);
  await server.kill();
  await Promise.all(requests);
  count.kills = (count.kills ?? 0) + 1;
}

/** The state of a key on the new server, for the figures. */
function stateAfterKill(answer: HttpAnswer): string {
  return viewIn(answer)?.operation.state ?? (answer.status === 404 ? 'not recorded' : 'tombstone');
}

/** Checks that no request the service received counts as unsent, and that none was sent twice without a resend. */
async function expectTruth({ merchant, person, wishes }: Life): Promise<void> {
  const arrived = await posts(merchant);
  for (const wish of wishes) {
    const heard = await person.read(wish.key);
    const times = arrived.filter(({ idempotency_key: key }) => key === wish.key).length;
    expect(times > 0 && (saysNotSent(heard) || heard.status === 404), heard.text).toBe(false);
    expect(times, 'sent at most once').toBeLessThanOrEqual(1);
    count[stateAfterKill(heard)] = (count[stateAfterKill(heard)] ?? 0) + 1;
  }
}

/** Resolves every operation and checks that the succeeded ones, and no others, executed once each. */
async function expectEnds({ merchant, person, wishes, withdrawalsBefore }: Life): Promise<void> {
  const done: Wish[] = [];
  for (const wish of wishes) {
    const state = await resolve(person, wish);
    expect(['succeeded', 'not-sent']).toContain(state);
    if (state === 'succeeded') done.push(wish);
  }
  const of = (kind: Wish['kind']) => done.filter((wish) => wish.kind === kind).length;
  const expected = {
    withdrawals: withdrawalsBefore + of('withdrawal'),
    deposit_addresses: of('deposit-address'),
    charges: of('charge'),
    webhook_replays: of('webhook-replay'),
  };
  const made = await executed(merchant);
  for (const kind of Object.keys(expected) as (keyof typeof expected)[])
    count.doubles = (count.doubles ?? 0) + Math.max(0, made[kind] - expected[kind]);
  expect(made).toMatchObject(expected);
  const keys = new Set(done.map(({ key }) => key));
  expect((await posts(merchant)).filter((post) => !keys.has(post.idempotency_key ?? ''))).toEqual([]);
}

test(`${BATCHES * KILLS_A_BATCH} random kills: no key executes twice, and every succeeded operation executed once`, async () => {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const merchant = await newMerchant(40);
    const first = await startOn(DIRECTORY);
    const person = await signInPerson(first.baseUrl, merchant);
    await first.stop();
    const { withdrawals: withdrawalsBefore } = await executed(merchant);
    const life: Life = { merchant, person, next: await wishesOf(merchant), wishes: [], withdrawalsBefore };
    for (let kill = 0; kill < KILLS_A_BATCH; kill += 1) await killMeanwhile(life, first.port);

    const second = await startOn(DIRECTORY, {}, first.port);
    await until('the service has answered', async () =>
      (await requestsReceived(merchant)).every(({ status }) => status !== null),
    );
    await expectTruth(life);
    await second.stop();
    await endLeases(DIRECTORY);
    const last = await startOn(DIRECTORY, {}, first.port);
    await expectEnds(life);
    await last.stop();
    count.keys = (count.keys ?? 0) + life.wishes.length;
  }
  note('kills at random', count);
}, 10_000_000);
