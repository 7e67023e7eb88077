// Test support: a browser that talks to a gateway in people mode.
import * as v from 'valibot';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import { APPROVALS_PATH, type PaymentToSign } from '#src/shared/contract/approvalsContract.ts';
import { actStatement } from '#src/shared/contract/peopleContract.ts';
import type { GatewayTestAnswer, TestRequest } from './testRequest.ts';

export interface TestReply {
  status: number;
  text: string;
  body: { error?: { code: string; message: string }; [name: string]: unknown };
}

interface TestBrowserParts {
  send: (path: string, request: TestRequest) => Promise<GatewayTestAnswer>;
  origin: string;
  /** The account that its requests name. */
  account: string;
  /** A new one by default. */
  authenticator?: ReturnType<typeof createAuthenticator>;
}

export type TestBrowser = ReturnType<typeof createTestBrowser>;

/** A browser with its cookies and one passkey. */
export function createTestBrowser({ send, origin, account, authenticator = createAuthenticator() }: TestBrowserParts) {
  const { host, hostname: rpId } = new URL(origin);
  const cookies = new Map<string, string>();

  async function call(method: string, path: string, body?: unknown, at = account): Promise<TestReply> {
    const headers: Record<string, string> = {
      Host: host,
      Origin: origin,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-Account': at,
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
      // For a DELETE, Node doesn't set it by itself.
      headers['Content-Length'] = String(Buffer.byteLength(text));
    }
    const answer = await send(path, { method, headers, ...(body === undefined ? {} : { body: text }) });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const isJson = answer.headers['content-type']?.includes('json') && answer.text !== '';
    return { status: answer.status, text: answer.text, body: isJson ? JSON.parse(answer.text) : {} };
  }

  async function ticketFor(request: Record<string, unknown>) {
    const { status, body } = await call('POST', '/session/ticket', request);
    if (status !== 200) throw new Error(`No ticket: ${status} ${body.error?.code}`);
    const { challenge } = v.parse(v.object({ challenge: v.string() }), body['options']);
    return { ticket: String(body['ticket']), here: { challenge, origin, rpId }, body };
  }

  async function proofOf(method: string, path: string, body: Record<string, unknown>, signer = authenticator) {
    const { ticket, here } = await ticketFor({ purpose: 'act', statement: actStatement(method, path, body) });
    return { ticket, response: signer.sign(here) };
  }

  /** A signature over payments, exactly as they are recorded afterwards. */
  const signatureOver = (payments: readonly PaymentToSign[], signer = authenticator) =>
    signed({ decision: 'send', payments }, signer);

  async function signed(toSign: object, signer = authenticator) {
    const { status, body } = await call('POST', SIGN_TICKET_PATH, toSign);
    if (status !== 200) throw new Error(`No ticket: ${status} ${body.error?.code}`);
    const { challenge } = v.parse(v.object({ challenge: v.string() }), body['options']);
    return { ticket: String(body['ticket']), response: signer.sign({ challenge, origin, rpId }) };
  }

  return {
    authenticator,
    call,
    signatureOver,
    /** Approves recorded payments. `as`: replaces fields of the request after signing. */
    async approve(keys: readonly string[], seen: readonly string[] = [], as: object = {}): Promise<TestReply> {
      const decision = { decision: 'approve', keys, seen };
      const proof = await signed(decision);
      return call('POST', APPROVALS_PATH, { ...decision, not_after: Date.now() + 60_000, proof, ...as });
    },
    reject: (keys: readonly string[], reason = 'Wrong amount'): Promise<TestReply> =>
      call('POST', APPROVALS_PATH, { decision: 'reject', keys, reason }),
    ticketFor,
    proofOf,
    cookies,
    switchTo: (to: string, from = account) => call('POST', '/session/account', { account: to }, from),
    async join(token: string, name?: string): Promise<TestReply> {
      const { ticket, here } = await ticketFor({ purpose: 'join', token });
      const response = authenticator.register(here);
      return call('POST', '/api/join', { token, ticket, response, ...(name === undefined ? {} : { name }) });
    },
    async signIn(): Promise<TestReply> {
      const { ticket, here } = await ticketFor({ purpose: 'sign-in' });
      return call('POST', '/session/passkey', { ticket, response: authenticator.sign(here) });
    },
    /** Makes a request signed with the passkey. */
    async act(path: string, body: Record<string, unknown>, method = 'POST'): Promise<TestReply> {
      return call(method, path, { ...body, proof: await proofOf(method, path, body) });
    },
  };
}
