// Memory of the server over ten exports of a long list, in a row.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryOf, openSession, origin, PORTS, printTable, startProcess, times } from './processes.js';

const JOBS = 10;
/** The first job compiles code and fills caches; from the second on memory should stay. */
const COMPARED = 2;
const REQUEST = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} };

export async function measureJobs({ key }) {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = {
    PORT: PORTS.relay,
    PAYMENTS_BASE_URL: origin('raw'),
    DATA_DIR: directory,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'heap.js')}`,
  };
  const server = await startProcess('dist/node/start.js', [], env, String(PORTS.relay));
  const { account, cookie } = await openSession(key, 'relay');
  const headers = {
    'Content-Type': 'application/json',
    Origin: origin('relay'),
    Cookie: `${cookie.name}=${cookie.value}`,
    'X-Account': account,
  };
  const ask = async (path, init) => {
    const answer = await fetch(origin('relay') + path, { headers, ...init });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const memory = [];
  let rows = 0;
  for (let job = 1; job <= JOBS; job += 1) {
    let view = await ask('/api/jobs', { method: 'POST', body: JSON.stringify(REQUEST) });
    while (view.state === 'waiting' || view.state === 'running') {
      await wait(500);
      view = await ask(`/api/jobs/${view.id}`);
    }
    if (view.state !== 'done') throw new Error(`The export is ${view.state}.`);
    rows = view.rows;
    memory.push(await memoryOf(server));
  }
  await server.stop();
  rmSync(directory, { recursive: true });
  const mb = ({ resident, heap }) => [`${resident.toFixed(0)} MB`, `${heap.toFixed(1)} MB`];
  const [before, after] = [memory[COMPARED - 1], memory[JOBS - 1]];
  printTable(
    `Memory of the server, its database included, after exports of ${rows.toLocaleString('en')} rows`,
    ['', 'process', 'heap'],
    [
      [`after export ${COMPARED}`, ...mb(before)],
      [
        `after export ${JOBS}`,
        ...mb(after).map((text, at) => {
          const ratio = at === 0 ? after.resident / before.resident : after.heap / before.heap;
          return `${text} (${times(ratio)})`;
        }),
      ],
    ],
  );
}
