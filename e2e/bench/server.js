// The server's overhead: reads compared with a plain proxy, a recorded withdrawal compared with a bare POST.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ask,
  median,
  memoryOf,
  ms,
  origin,
  PORTS,
  printTable,
  openSession,
  startProcess,
  timed,
  times,
} from './processes.js';

const CONNECTIONS = 200;
const SECONDS = 5;
const ROUNDS = 3;
const SENDS = 40;
/** Reads between two memory samples, and the number of samples. */
const READS = 250_000;
const SAMPLES = 4;

/** Reads over CONNECTIONS connections while `goOn` returns true; returns the number of reads. */
async function readOn(port, headers, goOn) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let answered = 0;
  let lost = 0;
  const one = () =>
    new Promise((done, failed) => {
      const asked = request({ agent, port, host: '127.0.0.1', path: '/v1/deposits?limit=25', headers }, (answer) => {
        if (answer.statusCode !== 200) failed(new Error(`${port}: ${answer.statusCode}`));
        answer.resume().on('end', () => done((answered += 1)));
      });
      asked.on('error', () => done((lost += 1))).end();
    });
  const connection = async () => {
    while (goOn(answered)) await one();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  if (lost > answered / 100) throw new Error(`${port}: ${lost} of ${answered + lost} connections were lost.`);
  return answered;
}

/** Reads per second. */
async function throughput(port, headers) {
  const end = performance.now() + SECONDS * 1000;
  return (await readOn(port, headers, () => performance.now() < end)) / SECONDS;
}

export async function measureReads() {
  const stub = await startProcess('e2e/bench/stubService.js', [PORTS.stub]);
  const proxy = await startProcess('e2e/bench/plainProxy.js', [PORTS.proxy, PORTS.stub]);
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = {
    PORT: PORTS.relay,
    PAYMENTS_BASE_URL: origin('stub'),
    DATA_DIR: directory,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'heap.js')}`,
  };
  const relay = await startProcess('dist/node/start.js', [], env, String(PORTS.relay));
  const memory = [];
  const noteMemory = async (when) => {
    const { resident, heap } = await memoryOf(relay);
    memory.push([when, `${resident.toFixed(0)} MB`, `${heap.toFixed(1)} MB`]);
  };
  await noteMemory('at rest');
  const { account, cookie } = await openSession('bench', 'relay');
  const headers = { Cookie: `${cookie.name}=${cookie.value}`, 'X-Account': account };
  const found = { proxy: [], relay: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    found.proxy.push(await throughput(PORTS.proxy, { 'x-api-key': 'bench' }));
    found.relay.push(await throughput(PORTS.relay, headers));
  }
  for (let look = 1; look <= SAMPLES; look += 1) {
    await readOn(PORTS.relay, headers, (answered) => answered < READS);
    await noteMemory(`${(look * READS).toLocaleString('en')} reads later`);
  }
  for (const running of [relay, proxy, stub]) await running.stop();
  rmSync(directory, { recursive: true });
  const [plain, ours] = [median(found.proxy), median(found.relay)];
  printTable(
    `Reads through the server, ${CONNECTIONS} connections`,
    ['', 'a second'],
    [
      ["Node's own http as a proxy", plain.toFixed(0)],
      ['this server', `${ours.toFixed(0)} (1 / ${times(plain / ours)})`],
    ],
  );
  printTable('Memory of the server, its database included', ['', 'process', 'heap'], memory);
}

export async function measureSends({ key }) {
  const { account, cookie } = await openSession(key);
  // A new address each time: a repeated one would need a confirmation.
  const body = () => ({
    asset: 'ETH',
    chain: 'ethereum',
    amount: '0.01',
    address: `0x${randomBytes(20).toString('hex')}`,
  });
  const bare = () => ask('/v1/withdrawals', { key, body: body(), headers: { 'Idempotency-Key': randomUUID() } });
  const journal = async () => {
    const answer = await fetch(`${origin('product')}/api/operations/${randomUUID()}`, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        Origin: origin('product'),
        Cookie: `${cookie.name}=${cookie.value}`,
        'X-Account': account,
      },
      body: JSON.stringify({
        kind: 'withdrawal',
        path: '/v1/withdrawals',
        body: JSON.stringify(body()),
        second_send_of: [],
        not_after: Date.now() + 60_000,
      }),
    });
    if (answer.status > 299) throw new Error(`PUT: ${answer.status} ${await answer.text()}`);
  };
  const took = { bare: [], journal: [] };
  for (let i = 0; i < SENDS; i += 1) {
    took.bare.push(...(await timed(1, bare)));
    took.journal.push(...(await timed(1, journal)));
  }
  const [plain, ours] = [median(took.bare), median(took.journal)];
  printTable(
    'A withdrawal',
    ['', 'took'],
    [
      ['a bare POST to the service', ms(plain)],
      ['PUT of an operation, until it is answered', `${ms(ours)} (${times(ours / plain)})`],
    ],
  );
}
