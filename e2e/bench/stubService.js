// A stub service with constant responses: node stubService.js PORT
import { createServer } from 'node:http';

const deposit = (_, at) => ({
  id: `dep_${String(at).padStart(20, '0')}`,
  object: 'deposit',
  asset: 'USDT',
  chain: 'tron',
  received_amount: '1250.000001',
  status: 'completed',
  tx_hash: '9f'.repeat(32),
  created_at: 1_790_000_000 - at,
});
const LISTS = {
  '/v1/balances': [
    { asset: 'USDT', available: '10', pending: '0', locked: '0', total: '10', updated_at: 1_790_000_000 },
  ],
  '/v1/deposits': Array.from({ length: 25 }, deposit),
};
const bodies = Object.fromEntries(
  Object.entries(LISTS).map(([path, data]) => [
    path,
    Buffer.from(JSON.stringify({ object: 'list', data, has_more: false, next_cursor: null })),
  ]),
);
const missing = Buffer.from('{"error":{"code":"not_found","message":"No such resource."}}');

createServer(({ url }, answer) => {
  const body = bodies[url.split('?')[0]];
  const sent = body ?? missing;
  answer.writeHead(body ? 200 : 404, {
    'Content-Type': 'application/json',
    'Content-Length': sent.length,
    'Request-Id': 'req_bench',
  });
  answer.end(sent);
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
