import { setTimeout as wait } from 'node:timers/promises';
import type { OperationState } from '#src/shared/operations/states.ts';
import type { HttpAnswer } from '#src/tests/contract/http.ts';
import { saysNotSent, viewIn, type SignedInPerson, type Wish } from './person.ts';

const TIMEOUT_MS = 90_000;

/** Acts as a person until the operation is final: repeats the PUT, sends or resends as the server allows. */
export async function resolve(person: SignedInPerson, wish: Wish): Promise<OperationState> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await person.read(wish.key);
    const view = viewIn(answer);
    if (!view && saysNotSent(answer)) return 'not-sent';
    if (view && !['ready', 'sending', 'unconfirmed'].includes(view.operation.state)) return view.operation.state;
    if (Date.now() > deadline) throw new Error(`It has no end: ${answer.status} ${answer.text}`);
    // An account may write 60 times a minute, so write only where needed.
    if (answer.status === 404) await person.put(wish);
    else if (view && may(view)) await person.send(view);
    else await wait(20);
  }
}

function may({ allowed, disabled }: NonNullable<ReturnType<typeof viewIn>>): boolean {
  return (['send', 'resend'] as const).some((action) => allowed.includes(action) && disabled[action] === undefined);
}

/** Undefined if the server is gone. */
export async function unlessGone(answer: Promise<HttpAnswer>): Promise<HttpAnswer | undefined> {
  return answer.catch(() => undefined);
}

/** Waits until a random number of the requests, possibly none, are answered, or a little longer. */
export async function someAnswered(requests: readonly Promise<unknown>[]): Promise<void> {
  let left = Math.floor(Math.random() * requests.length);
  if (left > 0)
    await new Promise<void>((resolved) => {
      for (const request of requests) void request.then(() => (left -= 1) === 0 && resolved());
    });
  await wait(Math.random() * 100);
}
