import { PATHS } from '#src/shared/contract/contract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { ArmedFault, SandboxFault } from '#src/web/api/sandboxControls.ts';

export interface Target {
  id: string;
  label: string;
  /** The failure's text in the list of active failures. */
  words: string;
  method: 'GET' | 'POST';
  path: string;
}

const withdrawal: Target = {
  id: 'withdrawal',
  label: 'The next withdrawal that is sent',
  words: 'A withdrawal that is sent',
  method: 'POST',
  path: PATHS.withdrawals,
};

export const targets: readonly [Target, ...Target[]] = [
  withdrawal,
  { id: 'post', label: 'The next POST of any kind', words: 'Any POST', method: 'POST', path: '/v1/' },
  { id: 'balances', label: 'Reads of balances', words: 'Reads of balances', method: 'GET', path: PATHS.balances },
  { id: 'deposits', label: 'Reads of deposits', words: 'Reads of deposits', method: 'GET', path: PATHS.deposits },
  {
    id: 'withdrawals',
    label: 'Reads of withdrawals',
    words: 'Reads of withdrawals',
    method: 'GET',
    path: PATHS.withdrawals,
  },
  { id: 'reads', label: 'Every read', words: 'Every read', method: 'GET', path: '/v1/' },
];

export interface Trouble {
  id: string;
  label: string;
  help: string;
  /** Applies to POST requests only. */
  posts?: boolean;
  /** The default duration, for failures that have one. */
  seconds?: number;
  fault: (seconds: number) => SandboxFault;
}

const WEB_PAGE =
  '<!doctype html><html lang="en"><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

const lostAnswer: Trouble = {
  id: 'lost-answer',
  label: 'The response is lost',
  help: 'The provider processes the request; then the connection is cut. The page learns nothing.',
  fault: () => ({ when: 'after', drop: true }),
};

const slow: Trouble = {
  id: 'slow',
  label: 'The provider is slow',
  help: 'It waits that long before it does anything. The page itself waits 30 seconds at most.',
  seconds: 10,
  fault: (seconds) => ({ when: 'before', delay: seconds * 1000 }),
};

export const troubles: readonly [Trouble, ...Trouble[]] = [
  lostAnswer,
  {
    id: 'lost-request',
    label: 'The request is lost',
    help: 'The connection is cut before the provider sees anything. To the page it looks like a lost response.',
    fault: () => ({ when: 'before', drop: true }),
  },
  slow,
  {
    id: 'too-many',
    label: 'Too many requests (429)',
    help: 'The provider asks to slow down and says for how long. The app waits and retries.',
    seconds: 5,
    fault: (seconds) => ({ status: 429, headers: retryAfter(seconds) }),
  },
  {
    id: 'unavailable',
    label: 'Unavailable for a moment (503)',
    help: 'The provider says when to come back. The app waits and retries.',
    seconds: 5,
    fault: (seconds) => ({ status: 503, headers: retryAfter(seconds) }),
  },
  {
    id: 'failed',
    label: 'The provider fails (500)',
    help: 'It does nothing and says that it failed. The page can’t know that nothing was done.',
    fault: () => ({ status: 500 }),
  },
  {
    id: 'failed-for-good',
    label: 'The provider failed, and keeps that response (500)',
    help: 'The response says that it is the stored one of this key: resending would only bring it back.',
    posts: true,
    fault: () => ({ status: 500, headers: { 'Idempotency-Replayed': 'true' } }),
  },
  {
    id: 'gateway',
    label: 'A web page instead of a response (502)',
    help: 'Something in front of the provider answers with a page of its own. The app never shows that page.',
    fault: () => ({ status: 502, body: WEB_PAGE }),
  },
  {
    id: 'cut',
    label: 'The response breaks off',
    help: 'The request is processed, and half of the response arrives. The app retries.',
    fault: () => ({ cutAt: 20 }),
  },
  {
    id: 'other',
    label: 'The response names another amount',
    help: 'The request is processed, but the response says 999. The app must never call that sent.',
    posts: true,
    fault: () => ({ patch: { amount: '999' } }),
  },
  {
    id: 'refused-key',
    label: 'The key is refused (401)',
    help: 'As if somebody had revoked the API key. This signs you out in every tab; the same key signs in again.',
    fault: () => ({ status: 401 }),
  },
];

export function faultOf(trouble: Trouble, { method, path }: Target, times: number, seconds: number): SandboxFault {
  return { method, path, times, ...trouble.fault(seconds) };
}

/** An armed fault in words. A fault that was armed elsewhere may not be one of this page's. */
export function describeArmed({ fault }: Pick<ArmedFault, 'fault'>): { what: string; meets: string } {
  const target = targets.find(({ method, path }) => method === fault.method && path === fault.path);
  const does = effectOf(fault);
  return {
    what: troubles.find((trouble) => effectOf(trouble.fault(1)) === does)?.label ?? 'Another fault',
    meets: target?.words ?? `${fault.method ?? 'Any method'} ${fault.path}`,
  };
}

/** Identifies a fault by its effect, without duration and texts. */
function effectOf({
  when,
  drop = false,
  delay = 0,
  status,
  headers = {},
  ...rest
}: SandboxFault | ArmedFault['fault']) {
  const { body, patch, cutAt, stall = false } = rest;
  const has = [body, patch, cutAt].map((part) => part !== undefined && part !== null);
  return stringifyExact([drop && when, delay > 0, status ?? null, Object.keys(headers).length > 0, stall, ...has]);
}

export const loseTheAnswer = faultOf(lostAnswer, withdrawal, 1, 0);
export const takeSeconds = (seconds: number) => faultOf(slow, withdrawal, 1, seconds);
