import type { IncomingMessage } from 'node:http';
import { refuse } from './refusal.ts';

/** The exact bytes of a request's body, read to its end: what the browser cut short goes nowhere. Null beyond the limit. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  return new Promise((resolve, reject) => {
    // Gone before anybody listened: it says so no more.
    if (incoming.destroyed) reject(new Error('The request broke off.'));
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      if (size > limit) resolve(null);
      else parts.push(part);
    });
    incoming.on('end', () => resolve(Uint8Array.from(Buffer.concat(parts))));
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('The request broke off.')));
  });
}

export function refuseBody(limit: number): Response {
  return refuse('not-allowed', 413, 'body_too_large', `A body may have ${limit} bytes.`);
}
