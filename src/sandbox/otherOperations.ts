import { readObjectText } from '#src/lib/jsonObject.ts';
import type { Queries } from '#src/database/sql.ts';
import { addressFrom } from './addresses.ts';
import type { Account } from './accounts.ts';
import { amountField, stringField, type JsonObject } from './body.ts';
import { checkPair } from './assets.ts';
import { findDeposit } from './deposits.ts';
import { newId, randomToken, sha256 } from './ids.ts';
import { deliveryInProgress, invalid, notFound } from './refusal.ts';
import { json, type Reply } from './outcome.ts';
import { unixSecondsOf } from './page.ts';

/** POST /v1/deposits: a new address that really validates on its chain (contract 4.6). */
export async function createDepositAddress(
  tx: Queries,
  account: Account,
  now: number,
  body: JsonObject,
): Promise<Reply> {
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  await checkPair(tx, account.id, asset, chain);
  const id = newId('da_');
  const address = addressFrom(chain, Buffer.from(sha256(randomToken(32)), 'hex'));
  await tx.query(
    'insert into deposit_addresses (id, account, asset, chain, address, created_at) values ($1, $2, $3, $4, $5, $6)',
    [id, account.id, asset, chain, address, now],
  );
  return json(201, { id, object: 'deposit_address', asset, chain, address, created_at: unixSecondsOf(now) });
}

/** POST /v1/charges: whatever else is given comes back as it was given, numbers to the digit (contract 4.6); `text` is the body. */
export async function createCharge(
  tx: Queries,
  account: Account,
  now: number,
  body: JsonObject,
  text: string,
): Promise<Reply> {
  const asset = stringField(body, 'asset', 64);
  const chain = stringField(body, 'chain', 64);
  const amount = amountField(body, 'amount');
  await checkPair(tx, account.id, asset, chain);
  const id = newId('ch_');
  const own = { id, object: 'charge', status: 'pending', asset, chain, amount, created_at: unixSecondsOf(now) };
  const reply = { ...json(201, own), body: withRest(own, body, text) };
  await tx.query(
    `insert into charges (id, account, asset, chain, amount, given, created_at)
     values ($1, $2, $3, $4, $5::numeric, $6, $7)`,
    [id, account.id, asset, chain, amount, text, now],
  );
  return reply;
}

/** The members of `own`, then the other ones of the body letter by letter: a parsed number may have lost digits. */
function withRest(own: JsonObject, body: JsonObject, text: string): string {
  const read = readObjectText(text);
  if (read.ok) {
    const rest = read.members.filter(({ name }) => !Object.hasOwn(own, name));
    const members = rest.map(({ start, end }) => `,${text.slice(start, end)}`);
    return `${JSON.stringify(own).slice(0, -1)}${members.join('')}}`;
  }
  // JSON all the same, but with a name given twice, or deep: as it was parsed.
  try {
    return JSON.stringify({ ...own, ...body, ...own });
  } catch {
    throw invalid('body', 'is nested too deeply.');
  }
}

/** POST /v1/webhook-deliveries/:id/replay: each deposit dep_X has the delivery whd_X. */
export async function replayDelivery(tx: Queries, account: Account, now: number, delivery: string): Promise<Reply> {
  const known = /^whd_([0-9A-Za-z]+)$/.exec(delivery)?.[1];
  const deposit = known === undefined ? null : await findDeposit(tx, account.id, `dep_${known}`);
  if (deposit === null) throw notFound('This account has no webhook delivery with that id.');
  if (deposit.status === 'pending') throw deliveryInProgress();
  await tx.query('insert into webhook_replays (id, account, delivery, created_at) values ($1, $2, $3, $4)', [
    newId('whr_'),
    account.id,
    delivery,
    now,
  ]);
  return { status: 204, body: null, contentType: null };
}
