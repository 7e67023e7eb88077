import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from './ids.ts';
import { bytesOf, type SandboxOutcome, ErrorResponse, refused } from './outcome.ts';
import { BODY_LIMIT, type Sandbox } from './sandbox.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

// Methods that a `Request` cannot carry.
const FORBIDDEN = new Set(['TRACE', 'TRACK', 'CONNECT']);

const written = (res: ServerResponse, bytes: Uint8Array) =>
  new Promise<void>((resolve) => {
    res.write(bytes, () => resolve());
  });

/** Applies an outcome to the socket: a response, part of one, silence, or a cut connection. */
export async function writeOutcome(outcome: SandboxOutcome, res: ServerResponse): Promise<void> {
  const { act = {}, status } = outcome;
  await act.held;
  if (res.destroyed) return;
  if (act.drop) {
    res.socket?.destroy();
    return;
  }
  const empty = status === 204 || status === 304;
  const bytes = empty ? new Uint8Array() : bytesOf(outcome.body);
  // Send only the outcome's headers: a removed Date stays removed.
  res.sendDate = false;
  for (const [name, value] of outcome.headers) res.appendHeader(name, value);
  if (!empty && !res.hasHeader('Content-Length')) res.setHeader('Content-Length', bytes.length);
  res.writeHead(status);
  if (act.midBody !== undefined && bytes.length > 0) {
    const half = Math.ceil(bytes.length / 2);
    await written(res, bytes.subarray(0, half));
    act.midBody();
    res.end(bytes.subarray(half));
    return;
  }
  if (act.cutAt === undefined && !act.stall) {
    res.end(bytes);
    return;
  }
  res.flushHeaders();
  if (act.cutAt !== undefined) await written(res, bytes.subarray(0, act.cutAt));
  if (!act.stall) res.socket?.destroy();
}

/** The body, or just enough of it to show that it is too large. */
async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    length += bytes.length;
    if (length <= BODY_LIMIT + 1) chunks.push(bytes);
  }
  return Buffer.concat(chunks).subarray(0, BODY_LIMIT + 1);
}

function headersOf(req: IncomingMessage): Headers {
  const distinct = Object.entries(req.headersDistinct);
  return new Headers(distinct.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])));
}

function refusal(status: number, code: string, message: string): SandboxOutcome {
  return refused(new ErrorResponse(status, 'invalid_request_error', code, message), newId('req_'), Date.now());
}

async function answer(sandbox: Sandbox, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = req;
  // DNS rebinding: a web page whose host name points at this machine must not reach the controls.
  if (!LOOPBACK.test(req.headers.host ?? '')) {
    await writeOutcome(refusal(421, 'misdirected_request', 'Host: must be this machine.'), res);
    return;
  }
  const body = await readBody(req);
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  const target = url.startsWith('/') ? url : `/${url}`;
  if (FORBIDDEN.has(method)) {
    await writeOutcome(refusal(405, 'method_not_allowed', `${method} is not allowed here.`), res);
    return;
  }
  const request = new Request(`http://sandbox${target}`, {
    method,
    headers: headersOf(req),
    body: hasBody ? new Uint8Array(body) : null,
  });
  await writeOutcome(await sandbox.handle(request, { rawHeaders: req.rawHeaders }), res);
}

/** The bare sandbox as the request listener of a local Node server. */
export function sandboxListener(sandbox: Sandbox): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    answer(sandbox, req, res).catch((error: unknown) => {
      console.error('sandbox:', error instanceof Error ? error.message : 'unknown');
      res.socket?.destroy();
    });
  };
}
