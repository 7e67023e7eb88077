import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { systemErrorCode } from '#src/server/database/sql.ts';
import type { Channel, Delivery, NoticeMessage } from './channel.ts';
import { webhookHeaders } from './standardWebhook.ts';

const TIMEOUT_MS = 15_000;
const WAIT_MAX_MS = 24 * 60 * 60_000;

export interface WebhookSettings {
  url: string;
  secrets: readonly Uint8Array[];
}

interface WebhookOptions extends WebhookSettings {
  /** Milliseconds. */
  wall: () => number;
}

/** Sends Standard Webhooks. Slack and Mattermost show `text`. */
export function createWebhook({ url, secrets, wall }: WebhookOptions): Channel {
  return {
    name: 'webhook',
    host: new URL(url).host,
    address: url,
    send: (message) => {
      const body = bodyOf(message);
      const headers = webhookHeaders(secrets, { id: message.id, at: Math.floor(wall() / 1_000), body });
      return post(url, headers, body);
    },
  };
}

function bodyOf({ event, at, account, recipient, count, text, link }: NoticeMessage): string {
  return JSON.stringify({
    type: event,
    timestamp: new Date(at * 1_000).toISOString(),
    data: { account, recipient, count, link },
    text: `${text} ${link}`,
  });
}

/** Follows no redirect, and reads only the head of the response. Never rejects. */
function post(url: string, headers: Record<string, string>, body: string): Promise<Delivery> {
  const bytes = Buffer.from(body);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'POST',
      // No keep-alive: the next message may be an hour away.
      agent: false,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) },
    });
    const end = (delivery: Delivery) => {
      clearTimeout(timer);
      resolve(delivery);
      request.destroy();
    };
    const late = `No response in ${TIMEOUT_MS / 1_000} seconds.`;
    const timer = setTimeout(() => end({ kind: 'failed', problem: late }), TIMEOUT_MS);
    request.on('response', ({ statusCode = 0, headers: { 'retry-after': retryAfter } }) =>
      end(deliveryOf(statusCode, retryAfter)),
    );
    // Use only the code: the message of a system error may contain the address.
    request.on('error', (error) =>
      end({ kind: 'failed', problem: `No connection (${systemErrorCode(error) || 'unknown error'}).` }),
    );
    request.end(bytes);
  });
}

function deliveryOf(status: number, retryAfter: string | undefined): Delivery {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 410) return { kind: 'gone', problem: 'The receiver responded 410: it wants no more notices.' };
  const isRedirect = status >= 300 && status < 400;
  const problem = `The receiver responded ${status}${isRedirect ? ', a redirect, which isn’t followed' : ''}.`;
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
  return { kind: 'failed', problem, ...(seconds > 0 && { waitMs: Math.min(seconds * 1_000, WAIT_MAX_MS) }) };
}
