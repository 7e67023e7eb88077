import { API_KEY_HEADER, IDEMPOTENCY_KEY_HEADER } from '#src/shared/contract/contract.ts';
import { accountOfKey } from './accounts.ts';
import { answersAlone, applyFault, envelopeOutcome, type FaultList, type InjectedFault } from './fault.ts';
import type { SandboxContext } from './context.ts';
import { newId } from './ids.ts';
import { finished, headerOf, type SandboxOutcome, refused, unauthenticated } from './outcome.ts';
import { v1Routes, type V1Call } from './v1.ts';

/** Details of a received request that its `Request` doesn't hold. */
export interface RequestArrival {
  /** Alternating names and values, as received: a `Request` joins repeated headers. */
  rawHeaders?: readonly string[];
}

function keysOf(request: Request, arrival: RequestArrival): string[] {
  const raw = arrival.rawHeaders;
  if (raw === undefined) {
    const key = request.headers.get(IDEMPOTENCY_KEY_HEADER);
    return key === null ? [] : [key];
  }
  const name = IDEMPOTENCY_KEY_HEADER.toLowerCase();
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

const CASES = ['Request-Id', 'Idempotency-Replayed', 'Content-Type'];

async function outcomeOf(response: Response): Promise<SandboxOutcome> {
  const headers = CASES.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}

/** Serves /v1. The order decides what is stored: authentication → faults (rate limits) → idempotency → validation. */
export function v1Answers(context: SandboxContext, faults: FaultList, requests: RequestList) {
  const routes = v1Routes(context);

  const execute = async (request: Request, call: V1Call): Promise<SandboxOutcome> => {
    try {
      const plain = new Request(request.url, { method: request.method, headers: request.headers });
      return finished(await outcomeOf(await routes.fetch(plain, call)), call.requestId, call.now);
    } catch (error) {
      return refused(error, call.requestId, call.now);
    }
  };

  return async (request: Request, body: Uint8Array, arrival: RequestArrival): Promise<SandboxOutcome> => {
    const requestId = newId('req_');
    const { method } = request;
    const url = new URL(request.url);
    const attempt = request.headers.get('X-Attempt');
    const account = await accountOfKey(context.sql, request.headers.get(API_KEY_HEADER));
    const fault = faults.take(account?.id ?? null, method, url.pathname, attempt);
    const accountNow = () => context.now() + (account?.offsetMs ?? 0);
    const keys = keysOf(request, arrival);
    if (account !== null && method === 'POST') context.kill('after-auth');

    const received: LoggedRequest = {
      method,
      path: url.pathname,
      query: url.search,
      attempt,
      idempotency_key: keys[0] ?? null,
      body: body.length === 0 ? null : new TextDecoder().decode(body),
      at: context.now(),
      status: null,
      request_id: requestId,
      replayed: false,
      fault,
    };
    if (account !== null) requests.add(account.id, received);

    const serve = async (): Promise<SandboxOutcome> => {
      // Read now, not on arrival: a fault may have delayed the request.
      const now = accountNow();
      if (account === null) return refused(unauthenticated(), requestId, now);
      const call: V1Call = { account, requestId, now, keys, body };
      if (fault?.duplicate !== true) return execute(request, call);
      const twin: V1Call = { ...call, requestId: newId('req_') };
      const [first] = await Promise.all([execute(request, call), execute(request, twin)]);
      return first;
    };
    const faulted = async (): Promise<SandboxOutcome> => {
      if (fault === null) return serve();
      if (answersAlone(fault)) {
        const status = fault.status ?? 200;
        const bare = status < 400 ? { status, headers: [], body: '' } : envelopeOutcome(status, requestId, []);
        return applyFault(fault, finished(bare, requestId, accountNow()), requestId, faults.held(fault));
      }
      if (fault.when === 'before') await faults.held(fault);
      const served = await serve();
      const held = fault.when === 'after' ? faults.held(fault) : undefined;
      return applyFault(fault, served, headerOf(served, 'Request-Id') ?? requestId, held);
    };
    const outcome = await faulted();
    received.status = outcome.act?.drop === true ? null : outcome.status;
    received.request_id = headerOf(outcome, 'Request-Id') ?? requestId;
    received.replayed = headerOf(outcome, 'Idempotency-Replayed') === 'true';
    if (method !== 'POST' || account === null || context.kill.chosen !== 'mid-body') return outcome;
    return { ...outcome, act: { ...outcome.act, midBody: () => context.kill('mid-body') } };
  };
}

const PER_ACCOUNT = 2000;

/** A received request, as in GET /sandbox/requests. */
export interface LoggedRequest {
  method: string;
  path: string;
  query: string;
  attempt: string | null;
  idempotency_key: string | null;
  body: string | null;
  /** Milliseconds of the wall clock. */
  at: number;
  /** Null until there is a response. */
  status: number | null;
  request_id: string;
  replayed: boolean;
  fault: InjectedFault | null;
}

export type RequestList = ReturnType<typeof requestList>;

/** The latest requests of each account, in memory, in order of arrival. */
export function requestList() {
  const lists = new Map<string, LoggedRequest[]>();
  return {
    add(account: string, request: LoggedRequest) {
      const list = lists.get(account) ?? [];
      lists.set(account, list);
      list.push(request);
      if (list.length > PER_ACCOUNT) list.shift();
    },
    of: (account: string): readonly LoggedRequest[] => lists.get(account) ?? [],
  };
}
