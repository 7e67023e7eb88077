// Batches: recording a full file, sending 40 lines against 40 PUTs of an operation, and the page meanwhile.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, median, ms, openSession, origin, printTable, quantile, timed, times } from './processes.js';

const FULL = 500;
const FULL_TIMES = 3;
const LINES = 40;
/** The server's pause between two lines. */
const PAUSE_MS = 500;
const POLL_MS = 100;

async function call(session, method, path, body) {
  const answer = await fetch(origin('product') + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      Origin: origin('product'),
      Cookie: `${session.cookie.name}=${session.cookie.value}`,
      'X-Account': session.account,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

// A new address each time: a repeated one would need a confirmation.
const payment = () =>
  JSON.stringify({
    asset: 'ETH',
    chain: 'ethereum',
    amount: '0.01',
    address: `0x${randomBytes(20).toString('hex')}`,
  });
const notAfter = () => Date.now() + 60_000;

const putOperation = (session) =>
  call(session, 'PUT', `/api/operations/${randomUUID()}`, {
    kind: 'withdrawal',
    path: '/v1/withdrawals',
    body: payment(),
    second_send_of: [],
    not_after: notAfter(),
  });

const putBatch = (session, count) =>
  call(session, 'PUT', `/api/batches/${randomUUID()}`, {
    lines: Array.from({ length: count }, (_, at) => ({
      line: at + 2,
      body: payment(),
      recipient: `Supplier ${at}`,
      reference: null,
      second_send_of: [],
      earlier_lines: 0,
    })),
    file: { name: 'bench.csv', text: 'address' },
    again: null,
    not_after: notAfter(),
  });

/** Sends the batch; returns how long it took, in ms, and the longest time between two frames of its page for 95 of 100. */
async function run(browser, session, { batch: { id, revision } }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([session.cookie]);
  const page = await context.newPage();
  await page.goto(`${origin('product')}/batches/${id}`);
  await page.getByRole('button', { name: `Send ${LINES} payments` }).waitFor();
  await page.evaluate(() => {
    window.frames95 = [];
    let last = performance.now();
    const note = (now) => {
      window.frames95.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const start = performance.now();
  await call(session, 'POST', `/api/batches/${id}/start`, { revision, not_after: notAfter() });
  for (;;) {
    const { data } = await call(session, 'GET', '/api/batches');
    const { state, why } = data.find((each) => each.id === id);
    if (state === 'done') break;
    if (state !== 'running') throw new Error(`The batch is ${state}: ${why}.`);
    await wait(POLL_MS);
  }
  const took = performance.now() - start;
  const frames = await page.evaluate(() => window.frames95);
  await context.close();
  return { took, frame: quantile(frames, 0.95) };
}

export async function measureBatches(browser) {
  const newSession = async () =>
    openSession((await ask('/sandbox/accounts', { body: { deposits: 0, assets: 7 } })).key);
  const session = await newSession();
  const full = await newSession();
  await timed(3, () => putOperation(session));
  const one = median(await timed(10, () => putOperation(session)));
  const recorded = await timed(FULL_TIMES, () => putBatch(full, FULL));
  const { took, frame } = await run(browser, session, await putBatch(session, LINES));
  const most = LINES * (PAUSE_MS + 1.2 * one);
  printTable(
    'Batches',
    ['', 'took'],
    [
      [`${FULL} lines recorded, with the request`, ms(median(recorded))],
      ['PUT of an operation', ms(one)],
      [`${LINES} lines sent`, `${ms(took)} (${times(took / most)} of ${LINES} × (${PAUSE_MS} ms + 1.2 × that PUT))`],
      ['frame p95 of its page meanwhile', ms(frame)],
    ],
  );
}
