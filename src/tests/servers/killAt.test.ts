import { describe, expect, test } from 'vitest';
import type { OperationState } from '#src/shared/operations/states.ts';
import type { CrashPoint } from '#src/server/operations/ports.ts';
import { DEEP } from '#src/tests/depth.ts';
import { endLeases, newDirectory, settled, startOn } from './house.ts';
import { saysNotSent, signInPerson, viewIn, withdrawalTo, type SignedInPerson, type Wish } from './person.ts';
import { executed, newMerchant, posts, type Merchant } from './service.ts';
import { until } from './until.ts';

/** Checks that nothing is sent automatically: the service gets no request until a person sends again. */
async function expectQuiet(merchant: Merchant, made: number): Promise<void> {
  expect(await posts(merchant)).toHaveLength(made);
  expect((await executed(merchant)).withdrawals).toBe(made);
}

/** Returns the recorded state, and checks that it is never "not sent" for a request that was executed. */
async function recordedState(person: SignedInPerson, { key }: Wish, made: number): Promise<OperationState | undefined> {
  const answer = await person.read(key);
  expect(made > 0 && saysNotSent(answer), answer.text).toBe(false);
  return viewIn(answer)?.operation.state;
}

/** Checks that a request which may have been sent cannot be discarded. */
async function expectNoDiscard(person: SignedInPerson, { key }: Wish): Promise<void> {
  const answer = await person.discard(key);
  expect([answer.status, saysNotSent(answer)], answer.text).toEqual([409, false]);
}

async function resend(person: SignedInPerson, { key }: Wish): Promise<void> {
  const view = viewIn(await person.read(key));
  if (view === undefined) throw new Error('The operation is gone.');
  expect(view.allowed).toContain(view.operation.state === 'ready' ? 'send' : 'resend');
  const sent = await person.send(view);
  expect(sent.status, sent.text).toBe(200);
}

describe.concurrent('kill -9 at each step of an operation (row 20): at most once, exactly once after a resend', () => {
  const steps: [step: CrashPoint, state: OperationState | undefined, made: number, later: OperationState][] = [
    ['recording', undefined, 0, 'succeeded'],
    ['recorded', 'ready', 0, 'ready'],
    ['connected', 'ready', 0, 'ready'],
    ['sending', 'sending', 0, 'unconfirmed'],
    ['sent', 'sending', 1, 'unconfirmed'],
    ['answered', 'sending', 1, 'unconfirmed'],
    ['settled', 'succeeded', 1, 'succeeded'],
  ];

  // The step right after the bytes leave; the long run has all of them.
  test.each(DEEP ? steps : steps.filter(([step]) => step === 'sent'))('%s', async (step, state, made, later) => {
    const merchant = await newMerchant();
    const directory = newDirectory(step);
    const wish = withdrawalTo();

    const first = await startOn(directory, { OPERATIONS_KILL_AT: step });
    const person = await signInPerson(first.baseUrl, merchant);
    await person.put(wish).catch(() => undefined);
    expect((await first.end).signal).toBe('SIGKILL');
    await until('the service did what it was sent', async () => (await executed(merchant)).withdrawals === made);

    // The same address and cookie: the page repeats its PUT.
    const second = await startOn(directory, {}, first.port);
    expect(await recordedState(person, wish, made)).toBe(state);
    const again = await person.put(wish);
    expect(again.status, again.text).toBe(state === undefined ? 201 : 200);
    if (state === undefined) await settled(person, wish.key);
    await expectQuiet(merchant, state === undefined ? 1 : made);
    expect((await second.stop()).code, second.output()).toBe(0);

    await endLeases(directory);
    const third = await startOn(directory, {}, first.port);
    expect(await recordedState(person, wish, made)).toBe(later);
    if (later === 'unconfirmed') await expectNoDiscard(person, wish);
    if (later !== 'succeeded') {
      await expectQuiet(merchant, made);
      await resend(person, wish);
    }
    expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
    expect((await executed(merchant, wish.address)).to).toBe(1);
    for (const { idempotency_key, body } of await posts(merchant)) {
      expect({ idempotency_key, body }).toEqual({ idempotency_key: wish.key, body: wish.body });
    }
    await third.stop();
  });
});
