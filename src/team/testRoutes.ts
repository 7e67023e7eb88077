// The routes of the team on a database in memory: for the tests of this folder.
import { openDatabase } from '#src/database/openDatabase.ts';
import { createTeamRoutes, type TeamActor } from './routes.ts';
import { type MadeAddress, openTeam } from './team.ts';

export const MADE: MadeAddress = {
  id: 'key-1',
  asset: 'BTC',
  chain: 'bitcoin',
  address: 'bc1q',
  along: [{ name: 'memo', value: '007' }],
  who: 'Ana',
  at: 1_790_000_000,
};

export interface Answer {
  status: number;
  body: { [name: string]: unknown; error?: { code: string; message: string }; data?: unknown[] };
  text: string;
}

/** The routes on a database of their own, to be closed; `away`: it cannot be read. */
export async function openRoutes() {
  const sql = await openDatabase({ directory: 'memory' });
  const state = { away: false };
  const query: typeof sql.query = (...asked) => (state.away ? Promise.reject(new Error('away')) : sql.query(...asked));
  const team = await openTeam(
    { ...sql, query },
    {
      list: async (_owner, cursor) => (cursor === null ? { data: [MADE], next: '1' } : { data: [], next: null }),
      has: async (_owner, id) => id === MADE.id,
    },
  );
  const handle = createTeamRoutes(
    team,
    () => 'req_1',
    () => undefined,
  );
  const ask = async (actor: TeamActor, method: string, path: string, body?: unknown): Promise<Answer> => {
    const url = new URL(`http://x/api/team/${path}`);
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const answer = await handle({ method, pathname: url.pathname, query: url.searchParams, body: text }, actor);
    return { status: answer.status, body: JSON.parse(answer.text), text: answer.text };
  };
  return {
    sql,
    state,
    ask,
    put: (actor: TeamActor, path: string, value: unknown, revision: number) =>
      ask(actor, 'PUT', path, { value, revision }),
  };
}

let accounts = 0;

/** Somebody of an account where nothing is yet. */
export function newActor(): TeamActor {
  accounts += 1;
  return { service: 'sandbox', account: `account-${accounts}`, who: 'Ana', readOnly: false };
}

/** A stated deposit as JSON. */
export function rowText(id: string, amount = '"1"'): string {
  return `{"id":"${id}","status":"completed","asset":"BTC","chain":null,"received_amount":${amount},"created_at":1}`;
}

/** The PUT of a part with these rows. */
export function partText(closing: string, part: number, fresh: string[]): string {
  const others = '"late":[],"changed":[],"givenUp":[],"carried":[]';
  return `{"revision":0,"value":{"closing":"${closing}","part":${part},"fresh":[${fresh.join(',')}],${others}}}`;
}
