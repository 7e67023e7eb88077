import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { SandboxOutcome, Sandbox } from '#src/sandbox/sandbox.ts';
import { bytesOf, headerOf } from '#src/sandbox/outcome.ts';
import { writeOutcome } from '#src/sandbox/node.ts';
import {
  attemptUpstream,
  checkStatus,
  limitBody,
  POST_BODY_LIMIT,
  POST_MS,
  READ_BODY_LIMIT,
  READ_MS,
  type RawResponse,
  type BodyLimit,
} from './upstream/attempt.ts';
import type { Clock } from '#src/server/operations/ports.ts';
import { machineClock, movedClock } from './clock.ts';
import { maskKey } from './upstream/redactKey.ts';
import { encode, encodedHeaders, encodingOf } from './assets/compress.ts';
import {
  answerHeaders,
  apiKeyOf,
  postHeaders,
  readHeaders,
  ServiceError,
  type ServiceCall,
  type Service,
  SANDBOX_SERVICE,
} from './upstream/service.ts';

/** The sandbox in this process as the service: its outcomes are applied to the browser's socket. */
export function embed(sandbox: Sandbox): Service {
  const clockOf = async (apiKey: string): Promise<Clock> => {
    const moves = await sandbox.clockOf(apiKey);
    return moves ? movedClock(moves) : machineClock;
  };

  return {
    name: SANDBOX_SERVICE,
    demoKey: sandbox.demoKey,
    sandboxAccount: (apiKey) => sandbox.accountOf(apiKey),
    async relay(call, outgoing, extraHeaders) {
      const outcome = await sandbox.handle(toRequest(call));
      if (!outcome.act?.drop) checkStatus(outcome.status);
      await write(outcome, outgoing, extraHeaders, apiKeyOf(call));
    },
    async read(apiKey, target, timeoutMs = READ_MS) {
      const call = { method: 'GET', target, headers: readHeaders(apiKey), body: null, attempt: null };
      const clock = await clockOf(apiKey).catch(() => machineClock);
      return attemptUpstream(clock, apiKey, timeoutMs, () => come(sandbox, call, READ_BODY_LIMIT));
    },
    async connect(apiKey) {
      const clock = await clockOf(apiKey);
      const gone = new AbortController();
      let spent = false;
      return {
        post: (sent) =>
          attemptUpstream(clock, apiKey, POST_MS, async () => {
            if (spent || gone.signal.aborted) throw new ServiceError('network');
            spent = true;
            const headers = postHeaders(apiKey, sent.key);
            const body = new TextEncoder().encode(sent.body);
            const call = { method: 'POST', target: sent.path, headers, body, attempt: sent.attempt };
            return Promise.race([come(sandbox, call, POST_BODY_LIMIT), lost(gone.signal)]);
          }),
        destroy: () => gone.abort(),
      };
    },
    clock: clockOf,
    async controls(call, outgoing, extraHeaders) {
      await write(await sandbox.handle(toRequest(call)), outgoing, extraHeaders);
    },
  };
}

/** Creates an account, as `POST /sandbox/accounts` does; the sandbox's refusal if the body has a fault. */
export async function createSandboxAccount(
  sandbox: Sandbox,
  seed: Uint8Array,
): Promise<{ account: string; key: string } | Response> {
  const headers = { 'Content-Type': 'application/json' };
  const call = { method: 'POST', target: '/sandbox/accounts', headers, body: seed, attempt: null };
  const { status, body } = await sandbox.handle(toRequest(call));
  const text = new TextDecoder().decode(bytesOf(body));
  if (status !== 201) return new Response(text, { status, headers });
  return v.parse(v.object({ account: v.string(), key: v.string() }), JSON.parse(text));
}

/** The outcome for a caller that reads the whole response. Bytes that an injected fault withholds never arrive. */
async function come(sandbox: Sandbox, call: ServiceCall, keep: BodyLimit): Promise<RawResponse> {
  const outcome = await sandbox.handle(toRequest(call));
  const { status, act = {} } = outcome;
  await act.held;
  if (act.drop) throw new ServiceError('network');
  checkStatus(status);
  // Headers and then silence, until the timeout.
  if (act.stall) return new Promise(() => undefined);
  const whole = status === 204 ? new Uint8Array() : bytesOf(outcome.body);
  if (whole.length > 0) act.midBody?.();
  const announced = headerOf(outcome, 'Content-Length');
  const length = announced !== null && /^\d+$/.test(announced) && status !== 204 ? Number(announced) : whole.length;
  const body = whole.subarray(0, Math.min(length, act.cutAt ?? length));
  const header = (name: string) => headerOf(outcome, name) || null;
  return limitBody({ status, header, body, complete: body.length === length }, keep);
}

function lost(gone: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    gone.addEventListener('abort', () => reject(new ServiceError('network')), { once: true });
  });
}

// The same headers are passed on as by a forwarding gateway.
async function write(
  outcome: SandboxOutcome,
  outgoing: ServerResponse,
  extraHeaders: [string, string][],
  apiKey = '',
): Promise<void> {
  const { headers, body } = await encoded(outcome, outgoing.req.headers['accept-encoding'], apiKey);
  return writeOutcome({ ...outcome, headers: [...headers, ...extraHeaders], body }, outgoing);
}

async function encoded(
  outcome: SandboxOutcome,
  accept: string | undefined,
  apiKey: string,
): Promise<Pick<SandboxOutcome, 'headers' | 'body'>> {
  const headers = answerHeaders((name) => headerOf(outcome, name), apiKey);
  const body = Buffer.from(bytesOf(outcome.body));
  maskKey(body, apiKey);
  // Faults count uncompressed bytes.
  const isWhole =
    outcome.act?.cutAt === undefined && !outcome.act?.stall && headerOf(outcome, 'Content-Length') === null;
  const sized: typeof headers = [...headers, ['Content-Length', String(body.length)]];
  const encoding = isWhole ? encodingOf(outcome.status, sized, accept) : null;
  if (encoding === null) return { headers, body };
  return { headers: encodedHeaders(headers, encoding), body: await encode(body, encoding) };
}

function toRequest(call: ServiceCall): Request {
  const headers = new Headers(call.headers);
  if (call.attempt !== null) headers.set('X-Attempt', call.attempt);
  return new Request(`http://sandbox${call.target}`, {
    method: call.method,
    headers,
    body: call.body ? new Uint8Array(call.body) : null,
  });
}
