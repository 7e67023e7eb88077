// Compares recording a withdrawal on two servers, one of which has 10,000 notices waiting.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ask, median, ms, openSession, origin, PORTS, printTable, startProcess, timed, times } from './processes.js';

const NOTICES = 10_000;
const SENDS = 60;

/** Writes what a flood of unconfirmed payments on many accounts would leave. The server must be stopped. */
async function addNotices(directory, service) {
  const db = await PGlite.create(join(directory, 'db'));
  await db.query(
    `insert into notices.outbox (id, service, account, event, subject, episode, channel, state, at, next_at)
     select 'msg_' || n, $1, 'account ' || n, 'operation.unconfirmed', 'key ' || n, '1', 'webhook', 'waiting', $2, $2
     from generate_series(1, ${NOTICES}) n`,
    [service, Date.now()],
  );
  await db.close();
}

async function putOperation(at, { account, cookie }) {
  const body = { asset: 'ETH', chain: 'ethereum', amount: '0.01', address: `0x${randomBytes(20).toString('hex')}` };
  const answer = await fetch(`${origin(at)}/api/operations/${randomUUID()}`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/json',
      Origin: origin(at),
      Cookie: `${cookie.name}=${cookie.value}`,
      'X-Account': account,
    },
    body: JSON.stringify({
      kind: 'withdrawal',
      path: '/v1/withdrawals',
      body: JSON.stringify(body),
      second_send_of: [],
      not_after: Date.now() + 60_000,
    }),
  });
  if (answer.status > 299) throw new Error(`PUT: ${answer.status} ${await answer.text()}`);
}

export async function measureNotices() {
  let received = 0;
  const hooks = createServer((request, answer) => {
    request.resume().on('end', () => {
      received += 1;
      answer.writeHead(200).end();
    });
  }).listen(PORTS.hooks, '127.0.0.1');
  const servers = [];
  for (const name of ['quiet', 'told']) {
    const directory = mkdtempSync(join(tmpdir(), 'bench-'));
    const env = {
      PORT: PORTS[name],
      PAYMENTS_BASE_URL: origin('raw'),
      ACCOUNTS: 'separate',
      DATA_DIR: directory,
      NOTIFY_WEBHOOK_URL: `${origin('hooks')}/`,
    };
    const start = () => startProcess('dist/node/start.js', [], env, String(PORTS[name]));
    let running = await start();
    if (name === 'told') {
      await running.stop();
      await addNotices(directory, origin('raw'));
      running = await start();
    }
    // A separate account for each, because an account may record 60 operations a minute.
    const { key } = await ask('/sandbox/accounts', { body: { deposits: 0, assets: 7 } });
    servers.push({ name, directory, running, session: await openSession(key, name), took: [] });
  }
  // Warm up: the first operations compile the code that the others use.
  for (const { name, session } of servers) await timed(3, () => putOperation(name, session));
  received = 0;
  for (let i = 0; i < SENDS - 3; i += 1)
    for (const { name, session, took } of servers) took.push(...(await timed(1, () => putOperation(name, session))));
  for (const { directory, running } of servers) {
    await running.stop();
    rmSync(directory, { recursive: true });
  }
  hooks.close();
  const [quiet, told] = servers.map(({ took }) => median(took));
  printTable(
    `PUT of an operation while notices are sent (${received} were, meanwhile)`,
    ['', 'took'],
    [
      ['with none waiting', ms(quiet)],
      [`with ${NOTICES.toLocaleString('en')} waiting`, `${ms(told)} (${times(told / quiet)})`],
    ],
  );
}
