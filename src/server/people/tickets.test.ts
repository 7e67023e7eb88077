import { expect, test } from 'vitest';
import { createTickets, type TicketOf } from './tickets.ts';

const MINUTE = 60_000;
const of: TicketOf = { purpose: 'act', binding: 'session-1', statement: 'POST /api/invites\n{}' };

function world() {
  const clock = { now: 1_790_000_000_000 };
  const tickets = createTickets(Buffer.from('key one'), () => clock.now);
  return { clock, tickets, other: createTickets(Buffer.from('key two'), () => clock.now) };
}

test('a ticket gives the same 32 bytes each time, and another ticket others', () => {
  const { clock, tickets } = world();
  const ticket = tickets.issue(of);
  const challenge = tickets.challenge(ticket, of);
  expect(challenge).toHaveLength(32);
  expect(tickets.challenge(ticket, { ...of })).toEqual(challenge);
  clock.now += 1;
  expect(tickets.challenge(tickets.issue(of), of)).not.toEqual(challenge);
});

test.each<[string, Partial<TicketOf>]>([
  ['purpose', { purpose: 'sign-in' }],
  ['browser', { binding: 'session-2' }],
  ['statement', { statement: 'POST /api/invites\n{"name":"Eve"}' }],
])('a ticket of another %s is none', (_what, change) => {
  const { tickets } = world();
  expect(tickets.challenge(tickets.issue(of), { ...of, ...change })).toBeNull();
});

test('a ticket is invalid after five minutes, or if it comes from a clock far ahead', () => {
  const { clock, tickets } = world();
  const ticket = tickets.issue(of);
  clock.now += 5 * MINUTE;
  expect(tickets.challenge(ticket, of)).not.toBeNull();
  clock.now += 1;
  expect(tickets.challenge(ticket, of)).toBeNull();
  clock.now -= 11 * MINUTE;
  expect(tickets.challenge(ticket, of)).toBeNull();
});

test('a ticket of another server, a changed ticket and junk are invalid', () => {
  const { tickets, other } = world();
  const ticket = tickets.issue(of);
  expect(tickets.challenge(other.issue(of), of)).toBeNull();
  for (const text of ['', '.', 'x', `${ticket}A`, `1${ticket}`, ticket.slice(1), ticket.replace('.', '')])
    expect(tickets.challenge(text, of)).toBeNull();
});
