// Test support: the team's routes on a database in memory.
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { TEAM_PATH } from '#src/shared/contract/teamContract.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import type { TeamActor } from './items.ts';
import { createTeamApp } from './routes.ts';
import { type MadeAddress, openTeam } from './team.ts';

export const MADE: MadeAddress = {
  id: 'key-1',
  asset: 'BTC',
  chain: 'bitcoin',
  address: 'bc1q',
  along: [{ name: 'memo', value: '007' }],
  who: 'Ana',
  person: null,
  at: 1_790_000_000,
};

export interface Answer {
  status: number;
  retryAfter: number | undefined;
  body: { [name: string]: unknown; error?: { code: string; message: string }; data?: unknown[] };
  text: string;
}

/** The routes on their own database, which the caller closes. `away`: it can't be reached; `mono`: the quota's clock. */
export async function openRoutes() {
  const sql = await openDatabase({ directory: 'memory' });
  const state = { away: false, mono: 0 };
  const query: typeof sql.query = (...asked) => (state.away ? Promise.reject(new Error('away')) : sql.query(...asked));
  const open = () =>
    openTeam(
      { ...sql, query },
      {
        list: async (_owner, cursor) => (cursor === null ? { data: [MADE], next: '1' } : { data: [], next: null }),
        find: async (_owner, id) => (id === MADE.id ? MADE : null),
      },
    );
  const team = await open();
  const app = createTeamApp(team, {
    newRequestId: () => 'req_1',
    reportFailure: () => undefined,
    mono: () => state.mono,
  });
  const ask = async (actor: TeamActor, method: string, path: string, body?: unknown): Promise<Answer> => {
    const sent = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const init = method === 'GET' ? {} : { method, body: sent };
    const response = await app.request(`${TEAM_PATH}/${path}`, init, { actor });
    const text = await response.text();
    const retryAfter = response.headers.get('Retry-After');
    return {
      status: response.status,
      retryAfter: retryAfter === null ? undefined : Number(retryAfter),
      body: JSON.parse(text),
      text,
    };
  };
  /** `bytes`: null if the download broke off. */
  const download = async (actor: TeamActor, closing: string) => {
    const { status, headers, body } = await app.request(`${TEAM_PATH}/closed-periods/${closing}/file`, {}, { actor });
    const bytes = new Response(body).arrayBuffer().then((buffer) => new Uint8Array(buffer));
    return { status, headers, bytes: await bytes.catch(() => null) };
  };
  return {
    sql,
    team,
    state,
    ask,
    download,
    /** Resets the tables to an older version, fills them, and migrates them again. */
    migrateFrom: async (version: number, fill: (tables: typeof sql) => Promise<void>) => {
      await sql.script(`drop table team.closed_files; delete from team.migrations where version > ${version};
        create table team.closings (service text, account text, closing text, parts integer, written_at bigint)`);
      await fill(sql);
      await open();
    },
    put: (actor: TeamActor, path: string, value: unknown, revision: number) =>
      ask(actor, 'PUT', path, { value, revision }),
  };
}

let accounts = 0;

/** A person of a new, empty account. */
export function newActor(): TeamActor {
  accounts += 1;
  return {
    service: 'sandbox',
    account: `account-${accounts}`,
    session: null,
    who: 'Ana',
    person: null,
    rights: KEY_RIGHTS,
  };
}

/** A closed period of one month with this number. */
export function closedPeriod(number: number, closing: string): ClosedPeriod {
  const hash = '0'.repeat(64);
  return {
    number,
    name: `Month ${number}, UTC`,
    from: number * 1000,
    to: number * 1000 + 1000,
    asOf: 1_790_000_000,
    checkpoint: `dep_${number}`,
    sums: [],
    totals: [],
    rows: { deposits: 1, withdrawals: 0, ledger: 3, adjustments: 0 },
    files: [{ name: 'deposits.csv', rows: 1, bytes: 9, sha256: hash }],
    zip: { name: `month-${number}.zip`, bytes: 2, sha256: hash },
    closing,
    parts: 1,
  };
}
