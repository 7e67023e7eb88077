import { Hono, type Context } from 'hono';
import type { Asset } from './assets.ts';
import { encodingFor } from './compress.ts';
import type { RequestSessions, SessionView } from '#src/server/http/requestSession.ts';
import type { Bindings } from '#src/server/http/bindings.ts';
import type { GatewayOptions } from '#src/server/http/gatewayOptions.ts';
import { SessionsUnavailable } from '#src/server/people/sessions.ts';
import { isServerPath, portOf, refuse } from '#src/server/http/guards.ts';
import { SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';

/** Built files, and for any other GET the app's HTML, with the data it would otherwise request first. */
export function servePages(requestSessions: RequestSessions, options: GatewayOptions): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const bounced = `countinghouse-bounced-${portOf(options.origin)}`;

  app.get('*', async (c) => {
    const { pathname: path, search } = new URL(c.req.url);
    const asset = options.assets.get(path);
    if (asset) return sendAsset(c, asset);
    if (path.startsWith('/assets/') || isServerPath(path))
      return refuse('not-allowed', 404, 'path_not_allowed', 'There is no such file.');

    const cookie = c.req.header('cookie') ?? '';
    const found = await requestSessions.recognise(cookie, true).catch(ifAway);
    if (found === 'away') return c.html(AWAY, 503);
    if (!found && comesFromElsewhere(c) && !cookie.includes(bounced)) {
      c.header('Set-Cookie', `${bounced}=1; Max-Age=5; HttpOnly; SameSite=Lax; Path=/`);
      return c.html(BOUNCE);
    }
    for (const line of requestSessions.cookies.probes()) c.header('Set-Cookie', line, { append: true });
    const html = await fill(options, { path, search }, found && requestSessions.view(found.session));
    return c.html(withTheme(html, cookie));
  });
  return app;
}

function sendAsset(c: Context<Bindings>, { bytes, type, cache, encoded }: Asset): Response {
  const headers = { 'Content-Type': type, 'Cache-Control': cache };
  if (encoded.size === 0) return c.body(bytes, 200, headers);
  const encoding = encodingFor(c.req.header('accept-encoding'), [...encoded.keys()]);
  const vary = { ...headers, Vary: 'Accept-Encoding' };
  if (encoding === null) return c.body(bytes, 200, vary);
  return c.body(encoded.get(encoding) ?? bytes, 200, { ...vary, 'Content-Encoding': encoding });
}

// Browsers don't send a Strict cookie when a link on another site leads here, but they do on a load from this page.
const BOUNCE =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0"><title>Countinghouse</title>\n';

// Instead of the sign-in page, which would look as if the person were signed out.
const AWAY =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Countinghouse</title>' +
  '<p>The dashboard can’t reach its database. This page loads again in 5 seconds.</p>\n';

function ifAway(error: unknown): 'away' {
  if (error instanceof SessionsUnavailable) return 'away';
  throw error;
}

function comesFromElsewhere(c: Context<Bindings>): boolean {
  return c.req.header('sec-fetch-site') === 'cross-site' && c.req.header('sec-fetch-dest') === 'document';
}

/** The theme, which the app saves in a cookie. */
function withTheme(html: string, cookie: string): string {
  const theme = /(?:^|; )countinghouse-theme=(light|dark)(?:;|$)/.exec(cookie)?.[1];
  return theme === undefined ? html : html.replace('<html ', `<html data-theme="${theme}" `);
}

function signInMode({ people }: GatewayOptions): 'key' | 'passkey' | 'oidc' {
  if (people === null) return 'key';
  return people.oidc === null ? 'passkey' : 'oidc';
}

async function fill(
  options: GatewayOptions,
  { path, search }: { path: string; search: string },
  session: SessionView | null,
): Promise<string> {
  const { name } = options.service;
  const gateway = {
    service: name,
    sandbox: name === SANDBOX_SERVICE,
    read_only: options.readOnly,
    sign_in: signInMode(options),
    provider: options.people?.oidc?.provider.host ?? null,
    demo: options.people?.demo?.list ?? [],
  };
  const blocks = inlineJson('session', session) + inlineJson('gateway', gateway);
  const template = await options.template(path, session !== null, search);
  // Without a session the sign-in page is shown, which has no such sheet.
  const html = session ? template : template.replace(/<div [^>]*data-static-sheet[^>]*><\/div>/, '');
  // Before every script, because an early one reads these blocks.
  return html.replace('<head>', () => `<head>${blocks}`);
}

const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON in an HTML element, escaped so that no value can end the element. To the CSP, a data block isn't a script. */
export function inlineJson(id: string, value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => ESCAPES[mark] ?? mark);
  return `<script type="application/json" id="${id}">${json}</script>\n`;
}
