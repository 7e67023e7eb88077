import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'countinghouse';
export const CLIENT_SECRET = 'a client secret of the tests';
const [own, other] = [newKey(), newKey()];

type Claims = Record<string, unknown>;
/** The provider's ID token, or another one in its place. */
export type ChangeToken = (claims: Claims, sign: SignToken) => string;
/** `algorithm`: RS256 with the provider's key, HS256 with the client's secret, `none`, or RS256 with another key. */
type SignToken = (claims: Claims, algorithm?: 'RS256' | 'HS256' | 'none' | 'other') => string;

export type TestOidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

/** A real OpenID provider on a free port of this machine. The name that a person types there becomes the subject. */
export async function startOidcProvider({ redirectUri }: { redirectUri: string }) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.');
  const issuer = `http://127.0.0.1:${address.port}`;
  let changeToken: ChangeToken | null = null;
  const issuedSecrets = new Set<string>();

  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...own.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
    cookies: { keys: ['a cookie key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Skips the page that asks for consent.
    async loadExistingGrant({ oidc }: { oidc: KoaOidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { body } = context;
    if (context.path === '/token' && isTokens(body))
      for (const token of [body.id_token, body.access_token]) issuedSecrets.add(token);
    if (changeToken === null || context.path !== '/token' || !isTokens(body)) return;
    context.body = { ...body, id_token: changeToken(claimsIn(body.id_token), signToken) };
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void signInPage(provider, request, response);
    else answer(request, response);
  });

  function signToken(claims: Claims, algorithm: Parameters<SignToken>[1] = 'RS256'): string {
    const alg = algorithm === 'other' ? 'RS256' : algorithm;
    const content = [{ alg, kid: 'own' }, claims].map((part) => encoded(JSON.stringify(part))).join('.');
    if (algorithm === 'none') return `${content}.`;
    if (algorithm === 'HS256')
      return `${content}.${createHmac('sha256', CLIENT_SECRET).update(content).digest('base64url')}`;
    const key = algorithm === 'other' ? other : own;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
  }

  return {
    issuer,
    /** Every code and token that was issued. */
    issuedSecrets,
    /** Null: the provider's own tokens. */
    changeTokens(change: ChangeToken | null) {
      changeToken = change;
    },
    /** Types a name on the provider's page, and returns the URL on our side that it leads to. */
    async signIn(url: string, name: string): Promise<URL> {
      const cookies = new Map<string, string>();
      const go = async (to: string, form?: URLSearchParams): Promise<string> => {
        const answer = await fetch(new URL(to, issuer), {
          redirect: 'manual',
          headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
          ...(form && { method: 'POST', body: form }),
        });
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        return location;
      };
      const page = await go(url);
      const resumed = await go(page, new URLSearchParams({ name }));
      const back = new URL(await go(resumed));
      issuedSecrets.add(back.searchParams.get('code') ?? '');
      return back;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The provider's own page. It has no password. */
async function signInPage(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const accountId = new URLSearchParams(await text(request)).get('name');
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(
    '<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,">' +
      '<form method="post"><label>Name at the provider <input name="name"></label><button>Continue</button></form>',
  );
}

type KoaOidc = Parameters<Parameters<Provider['use']>[0]>[0]['oidc'];

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
}

function encoded(content: string): string {
  return Buffer.from(content).toString('base64url');
}

function isTokens(body: unknown): body is { id_token: string; access_token: string } {
  return typeof body === 'object' && body !== null && 'id_token' in body && 'access_token' in body;
}

function claimsIn(token: string): Claims {
  const claims: Claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return claims;
}
