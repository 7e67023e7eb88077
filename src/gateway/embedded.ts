import type { ServerResponse } from 'node:http';
import type { Outcome, Sandbox } from '#src/sandbox/sandbox.ts';
import { fetchFrom } from '#src/sandbox/inProcess.ts';
import { writeOutcome } from '#src/sandbox/node.ts';
import { answerHeaders, isRedirect, refuseUpstream, ServiceError, type Call, type Service } from './service.ts';
import { SANDBOX_SERVICE } from './serviceName.ts';

const READ_MS = 15_000;

/** The sandbox in this process as the service: its outcomes become acts on the browser's own socket. */
export function embed(sandbox: Sandbox): Service {
  const fetch = fetchFrom(sandbox);

  return {
    name: SANDBOX_SERVICE,
    demoKey: sandbox.demoKey,
    sandboxAccount: (apiKey) => sandbox.accountOf(apiKey),
    async relay(call, outgoing, own) {
      const outcome = await sandbox.handle(toRequest(call));
      if (isRedirect(outcome.status) && !outcome.act?.drop) return refuseUpstream(new ServiceError('redirect'));
      await write(outcome, outgoing, own);
      return null;
    },
    async read(call) {
      try {
        const answer = await fetch(toRequest(call), { signal: AbortSignal.timeout(READ_MS) });
        const body = new Uint8Array(await answer.arrayBuffer());
        return { status: answer.status, headers: new Headers(answerHeaders(answer.headers)), body };
      } catch (error) {
        throw new ServiceError(error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'lost');
      }
    },
    async controls(call, outgoing, own) {
      await write(await sandbox.handle(toRequest(call)), outgoing, own);
    },
  };
}

// The same headers pass as through a forwarding gateway.
function write(outcome: Outcome, outgoing: ServerResponse, own: [string, string][]): Promise<void> {
  return writeOutcome({ ...outcome, headers: [...answerHeaders(outcome.headers), ...own] }, outgoing);
}

function toRequest(call: Call): Request {
  const headers = new Headers(call.headers);
  if (call.attempt !== null) headers.set('X-Attempt', call.attempt);
  return new Request(`http://sandbox${call.target}`, {
    method: call.method,
    headers,
    body: call.body ? new Uint8Array(call.body) : null,
  });
}
