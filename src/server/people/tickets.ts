import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 5 * 60 * 1_000;
/** Domain separation: no other program's challenges start with this text. */
const DOMAIN = 'countinghouse passkey v1';
/** Time in ms, base 36, and the MAC in base64url. */
const TICKET = /^([\da-z]{1,12})\.([\w-]{43})$/;

/** The request that a passkey signs. */
export interface TicketOf {
  purpose: 'sign-in' | 'join' | 'register' | 'act' | 'sign';
  /** Ties it to one browser: the pre-session cookie, or the session's id. */
  binding: string;
  /** The subject: an invite's token, the request of an act, or the payments to sign (signedStatement). */
  statement: string;
}

export type Tickets = ReturnType<typeof createTickets>;

/**
 * Tickets prove that this server asked for a signature within the last five minutes, without storing anything. `key`:
 * derivedKey(secret, 'tickets'); `wall`: the server's clock, ms.
 */
export function createTickets(key: Uint8Array, wall: () => number) {
  const macOf = (time: string, { purpose, binding, statement }: TicketOf) =>
    createHmac('sha256', key)
      .update(JSON.stringify([time, purpose, binding, statement]))
      .digest();

  return {
    issue: (request: TicketOf): string => {
      const time = Math.floor(wall()).toString(36);
      return `${time}.${macOf(time, request).toString('base64url')}`;
    },

    /** The 32 bytes to sign; null for a ticket that wasn't issued for this, or more than five minutes ago. */
    challenge: (ticket: string, request: TicketOf): Uint8Array<ArrayBuffer> | null => {
      const [, time, mac] = TICKET.exec(ticket) ?? [];
      if (time === undefined || mac === undefined) return null;
      const actual = Buffer.from(mac, 'base64url');
      const expected = macOf(time, request);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
      const age = ageOf(ticket);
      if (age < -LIFETIME_MS || age > LIFETIME_MS) return null;
      return challengeOf(request, ticket);
    },

    /** In ms by the server's clock; infinite for text that isn't a ticket. */
    age: ageOf,
  };

  function ageOf(ticket: string): number {
    const [, time] = TICKET.exec(ticket) ?? [];
    return time === undefined ? Number.POSITIVE_INFINITY : wall() - Number.parseInt(time, 36);
  }
}

/** The 32 bytes to sign, without checking the ticket: for signatures whose ticket was checked when they were made. */
export function challengeOf(
  { purpose, statement }: Pick<TicketOf, 'purpose' | 'statement'>,
  ticket: string,
): Uint8Array<ArrayBuffer> {
  const parts = JSON.stringify([DOMAIN, purpose, statement, ticket]);
  return Uint8Array.from(createHash('sha256').update(parts).digest());
}
