import type { ErrorExtras, OperationView, EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { bodyOf, sendTo, type HttpAnswer } from '#src/tests/contract/http.ts';
import type { Merchant } from './service.ts';

const HOLDS_MS = 110_000;

/** A request that a person makes on a page. */
export interface Wish {
  key: string;
  kind: OperationKind;
  path: string;
  body: string;
}

/** A browser that is signed in to one server's address, whichever process answers there. */
export interface SignedInPerson {
  put(wish: Wish, secondSendOf?: readonly string[]): Promise<HttpAnswer>;
  read(key: string): Promise<HttpAnswer>;
  discard(key: string): Promise<HttpAnswer>;
  /** Sends a ready operation, or resends an unconfirmed one, at the revision of `view`. */
  send(view: OperationView): Promise<HttpAnswer>;
  balances(): Promise<HttpAnswer>;
  /** Any other request of a page. */
  ask(path: string, method?: string, body?: object): Promise<HttpAnswer>;
}

/** Signs in; cookies are kept and renewed with every answer, as in a browser. */
export async function signInPerson(baseUrl: string, { key }: Pick<Merchant, 'key'>): Promise<SignedInPerson> {
  const json = { 'content-type': 'application/json', origin: baseUrl };
  const signedIn = await sendTo(baseUrl, '/session', { method: 'POST', headers: json, body: JSON.stringify({ key }) });
  if (signedIn.status !== 201) throw new Error(`Sign-in: ${signedIn.status} ${signedIn.text}`);
  const { account } = bodyOf<{ account: string }>(signedIn);
  const cookies = new Map(cookiesIn(signedIn));
  const ask = async (path: string, method = 'GET', body?: object): Promise<HttpAnswer> => {
    const headers = {
      ...(body ? json : { origin: baseUrl }),
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'x-account': account,
    };
    const answer = await sendTo(baseUrl, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    for (const [name, value] of cookiesIn(answer)) cookies.set(name, value);
    return answer;
  };
  const at = (key: string) => `/api/operations/${key}`;
  return {
    put: ({ key, ...wish }, secondSendOf = []) =>
      ask(at(key), 'PUT', { ...wish, second_send_of: secondSendOf, not_after: Date.now() + HOLDS_MS }),
    read: (key) => ask(at(key)),
    discard: (key) => ask(at(key), 'DELETE'),
    send: ({ operation: { key, revision } }) =>
      ask(`${at(key)}/send`, 'POST', { revision, not_after: Date.now() + HOLDS_MS }),
    balances: () => ask('/v1/balances?limit=1'),
    ask,
  };
}

function cookiesIn({ headers }: HttpAnswer): [name: string, value: string][] {
  return headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return [name, value];
  });
}

/** The operation in a response, also in that of an error. */
export function viewIn({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): OperationView | undefined {
  return status < 300 ? bodyOf<OperationView>({ text }) : bodyOf<ErrorExtras>({ text }).view;
}

export function codeIn({ text }: HttpAnswer): string | undefined {
  return bodyOf<{ error?: { code: string } }>({ text }).error?.code;
}

/** The earlier sends that a response asks to confirm. */
export function sameIn({ text }: HttpAnswer): EarlierSend[] {
  return bodyOf<ErrorExtras>({ text }).look_alikes?.of ?? [];
}

/** Whether a response says that nothing was sent under the key and nothing ever will be. */
export function saysNotSent(answer: HttpAnswer): boolean {
  const { not_sent: notSent } = bodyOf<ErrorExtras>(answer);
  const view = viewIn(answer);
  if (notSent !== undefined || view?.operation.state === 'not-sent') return true;
  // One under way may be about to be sent.
  return view?.operation.state === 'ready' && !view.underWay;
}

let addresses = 0;

/** An unused address. */
export function newAddress(): string {
  addresses += 1;
  const random = crypto.getRandomValues(new Uint8Array(16));
  return `0x${Buffer.from(random).toString('hex')}${addresses.toString(16).padStart(8, '0')}`;
}

/** A withdrawal under a new key, by default to an unused address. */
export function withdrawalTo(address = newAddress()): Wish & { address: string } {
  const fields = { asset: 'ETH', chain: 'ethereum', amount: '0.01', address };
  return { key: newKey(), address, ...withdrawalRequest(fields) };
}
