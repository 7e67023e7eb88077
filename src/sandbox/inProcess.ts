import { bytesOf, type Outcome } from './outcome.ts';
import type { Sandbox } from './sandbox.ts';

const broken = () => new TypeError('fetch failed');

function bodyOf(outcome: Outcome): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null {
  const { act = {}, status } = outcome;
  if (status === 204 || status === 304) return null;
  const bytes = bytesOf(outcome.body);
  if (act.cutAt === undefined && !act.stall) return new Uint8Array(bytes);
  return new ReadableStream({
    start(controller) {
      if (act.cutAt !== undefined) controller.enqueue(bytes.subarray(0, act.cutAt));
      // A stalled body says nothing more, and never ends.
      if (!act.stall) controller.error(broken());
    },
  });
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A fetch whose service is the sandbox in this process: its faults become rejected or broken answers. */
export function fetchFrom(sandbox: Sandbox): typeof fetch {
  return async (input, init) => {
    const relative = typeof input === 'string' && input.startsWith('/');
    const request = new Request(relative ? `http://sandbox${input}` : input, init);
    const { signal } = request;
    const answered = async (): Promise<Response> => {
      const outcome = await sandbox.handle(request);
      await outcome.act?.held;
      if (outcome.act?.drop) throw broken();
      return new Response(bodyOf(outcome), { status: outcome.status, headers: outcome.headers });
    };
    return Promise.race([answered(), abortion(signal)]);
  };
}
