import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listOf, withdrawalSchema } from '#src/shared/contract/rows.ts';
import type { PaymentHistory } from '#src/shared/operations/paymentHistory.ts';
import { resource } from '#src/web/resources/withdrawals.tsx';
import { type CaseFile, casePayment } from './caseFile.ts';
import { caseMarkdown } from './caseMarkdown.ts';
import { redactCase } from './redactCase.ts';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const HASH = `0x${'ab'.repeat(32)}`;
const KEY = '6f1c2a44-9d1e-4c55-8f0b-0c8f4d8e7a10';
const MADE = '2026-11-21T14:00:00Z';
const read = { requestId: 'req_9', date: 1_795_000_000, readAt: 1_795_000_001 };

function rowOf(fields: object) {
  const [row] = listOf(withdrawalSchema)({ data: [{ id: 'wd_1', ...fields }] }).data;
  if (!row) throw new Error('not a row');
  return row;
}

const history: PaymentHistory = {
  status: 'ready',
  reason: null,
  parts: [
    {
      kind: 'Withdrawal',
      relation: 'Created this withdrawal.',
      state: 'Accepted by the provider',
      key: KEY,
      who: 'Ana',
      person: null,
      recordedAt: 1_795_000_000,
      approvals: [],
      attempts: [
        {
          start: 1_795_000_000_000,
          end: 1_795_000_000_400,
          automatic: false,
          who: 'Ana',
          person: null,
          outcome: 'no response, the connection failed',
          message: null,
          requestId: null,
          replayed: false,
        },
        {
          start: 1_795_000_020_000,
          end: null,
          automatic: true,
          who: null,
          person: null,
          outcome: '400 <script>',
          message: `12.5 BTC to ${ADDRESS} with ${KEY}`,
          requestId: 'req_2',
          replayed: true,
        },
      ],
      ending: null,
    },
  ],
};

const file: CaseFile = {
  kind: 'withdrawal',
  id: 'wd_1',
  payment: casePayment(resource.fields, {
    row: rowOf({
      object: 'withdrawal',
      status: 'broadcasted',
      asset: 'BTC',
      chain: 'bitcoin',
      amount: '0.25',
      address: ADDRESS,
      tx_hash: HASH,
      created_at: 1_795_000_000,
      memo: 'for Jane',
    }),
    read,
  }),
  absence: null,
  recipient: `Acme Hosting ${ADDRESS}`,
  isRedacted: false,
  steps: [
    {
      at: 1_795_000_000,
      isSeen: true,
      mark: 'alarm',
      what: `Failed <b> for ${ADDRESS}`,
      more: ', 2 min after it was sent',
      notes: ['back', { amount: '0.25', asset: 'BTC', words: 'moved back to available' }],
      proofs: [{ kind: 'request', id: 'req_9' }],
    },
  ],
  note: {
    reference: 'INV-7',
    note: '',
    ticket: 'T-42',
    customer: `Not there: ${ADDRESS}`,
    who: 'Ben',
    person: null,
    at: 1_795_000_000,
  },
  history,
  ledger: {
    kind: 'read',
    ...read,
    entries: [{ id: 'le_1', asset: 'BTC', amount: '-0.25', created_at: 1_795_000_000, type: 'hold', book: 'locked' }],
    more: false,
    unrelated: 2,
  },
  calls: {
    calls: [
      {
        attempt: 'a',
        at: 1_795_000_001_000,
        method: 'GET',
        path: '/v1/withdrawals/wd_1',
        outcome: '200',
        ms: 12,
        requestId: 'req_9',
        replayed: false,
      },
    ],
    more: 0,
  },
  who: { service: 'https://pay.example.com', account: '0123456789abcdef', name: 'Shop' },
};

test('has IDs, amounts, statuses, times in UTC and attempts, but no address, hash or key', () => {
  const text = caseMarkdown(redactCase(file), MADE);
  for (const part of [
    '# Case file: withdrawal `wd_1`',
    '- Made 2026-11-21T14:00:00Z by Countinghouse, with account `01234567` (`Shop`) at `https://pay.example.com`',
    '- status: `broadcasted`. Sent to its chain, not confirmed yet. Our reading of the status.',
    '- amount: `0.25` `BTC`',
    '- To: `Acme Hosting [left out]`',
    '- fee: not provided',
    '- address: `bc1qw5…f3t4`',
    '- tx_hash: `0xabab…abab`',
    '- created_at: 2026-11-18T',
    '- Other fields, left out: `memo`',
    '- Loaded 2026-11-18T',
    'Idempotency-Key `6f1c2a44…`',
    '   - Attempt 1, 2026-11-18T',
    ', 0.4 s: no response, the connection failed; request ID none',
    ', by itself: `400 <script>`; message `[left out] BTC to [left out] with [left out]`; replayed; request ID `req_2`',
    ': `-0.25` `BTC`, type `hold`, book `locked`, `le_1`',
    '1 ledger entry (complete). 2 more came that do not name it, and are not shown.',
    ' GET `/v1/withdrawals/wd_1`: 200, 12 ms; request ID `req_9`',
    'Shortened for sharing: ',
    '- Customer says: `Not there: [left out]`',
    '- Ticket: `T-42`',
    '- Reference: `INV-7`',
    '- Written by `Ben (not verified)` 2026-11-18T',
    ': `Failed <b> for [left out], 2 min after it was sent`; `back`; `0.25` `BTC` moved back to available',
  ])
    expect(text).toContain(part);
  for (const secret of [ADDRESS, HASH, KEY, 'Jane', '12.5']) expect(text).not.toContain(secret);
  const full = caseMarkdown(file, MADE);
  for (const part of [ADDRESS, HASH, KEY, '- `memo`: `for Jane`', 'Full copy']) expect(full).toContain(part);
});

test('a redacted copy keeps statuses, ids and times, and no amount in texts of the provider or the team, or in a path', () => {
  const [part] = history.parts;
  const [attempt] = part?.attempts ?? [];
  if (!part || !attempt) throw new Error('no attempt');
  const [call] = file.calls.calls;
  if (!call) throw new Error('no call');
  const text = caseMarkdown(
    redactCase({
      ...file,
      history: { ...history, parts: [{ ...part, attempts: [{ ...attempt, outcome: '400 DECLINED' }] }] },
      note: {
        reference: '48211',
        note: 'Sent 1,250 USDT by hand',
        ticket: KEY,
        customer: '5000, on 2026-11-21',
        who: null,
        person: null,
        at: 1_795_000_000,
      },
      ledger: { kind: 'none', words: 'Couldn’t load.', said: `503 BUSY ${ADDRESS} 12.5` },
      calls: {
        calls: [{ ...call, path: `/v1/ledger-entries?source=wd_1&created_after=1795000000&x=${ADDRESS}` }],
        more: 0,
      },
    }),
    MADE,
  );
  for (const kept of [
    ': 400 DECLINED; request ID',
    '- Reference: `48211`',
    '- Note: `Sent [left out] USDT by hand`',
    '- Ticket: `[left out]`',
    '- Customer says: `[left out], on 2026-11-21`',
    'The provider said: `503 BUSY [left out] [left out]`',
    '`/v1/ledger-entries?source=wd_1&created_after=1795000000&x=[left out]`',
  ])
    expect(text).toContain(kept);
});

test('the team’s note is complete, line by line', () => {
  const long = 'word '.repeat(700).trim();
  const text = caseMarkdown(
    { ...file, note: { reference: '', note: `${long}\n\nand on`, who: null, person: null, at: 1_795_000_000 } },
    MADE,
  );
  expect(text).toContain(`- Note: \`${long}\`\n   - \`and on\`\n`);
});

test('a payment that was not found says where it was searched, and that nothing was recorded', () => {
  const absence = {
    words: 'The list was searched; that is no proof.',
    said: '<b>no</b>',
    requestId: null,
    at: 1_795_000_000,
  };
  const text = caseMarkdown(
    redactCase({
      ...file,
      payment: null,
      absence,
      history: { status: 'ready', reason: null, parts: [] },
      ledger: { kind: 'none', words: 'This provider offers no ledger.', said: null },
    }),
    MADE,
  );
  expect(text).toContain('- The list was searched; that is no proof. Checked 2026-11-18T');
  expect(text).toContain('- The provider said: `<b>no</b>`');
  expect(text).toContain('Nothing was sent from here for this payment.');
  expect(text).toContain('This provider offers no ledger.');
  expect(text).not.toContain('- status');
  expect(caseMarkdown({ ...file, payment: null }, MADE)).toContain('- It was not loaded when this file was made.');
});

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from('`|<>\n\r\u2028\u202E\u0000*_\\# a-1.')), maxLength: 40 }),
  fc.constantFrom('</details><script>alert(1)</script>', '\n# Heading\n', '@everyone', '![x](//e.example/p)', '$`x`$'),
);
const ANYTHING = fc.oneof(HOSTILE, fc.integer(), fc.constant(null), fc.object({ maxDepth: 1 }));
const LETTERS = Array.from('abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ123456789');
const SECRET = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 26, maxLength: 60 });

test('no text from a service, a person or an address can add lines of its own, and no address or key is shown in full', () => {
  fc.assert(
    fc.property(
      fc.dictionary(HOSTILE, ANYTHING, { maxKeys: 3 }),
      fc.record({ status: ANYTHING, asset: ANYTHING, amount: ANYTHING, created_at: ANYTHING, fee: ANYTHING }),
      SECRET,
      SECRET,
      HOSTILE,
      (others, fields, address, key, words) => {
        const part = history.parts[0];
        if (!part) throw new Error('no part');
        const told = { ...part.attempts[0], outcome: words, message: `${words} ${address} ${key}`, requestId: words };
        const text = caseMarkdown(
          redactCase({
            ...file,
            payment: casePayment(resource.fields, {
              row: rowOf({ ...others, ...fields, address, tx_hash: address, memo: key }),
              read,
            }),
            history: {
              ...history,
              parts: [
                {
                  ...part,
                  key,
                  attempts: [{ ...part.attempts[1], ...told } as never],
                  ending: { how: 'Closed manually', words: `${key} ${words}`, who: 'Ana', person: null, at: 0 },
                },
              ],
            },
            ledger: {
              ...file.ledger,
              entries: [{ id: words, asset: words, amount: words, type: `to ${address}`, book: null }],
            } as never,
            note: {
              reference: words,
              note: `${words} ${key}`,
              customer: `${address} ${words}`,
              who: null,
              person: null,
              at: 1_795_000_000,
            },
            who: { service: words, account: words, name: words },
          }),
          MADE,
        );
        expect(text).not.toContain(address);
        expect(text).not.toContain(key);
        const lines = text.split('\n');
        for (const line of lines)
          expect(line).toMatch(/^(?:$|#{1,2} [A-Z]|(?: {3})?- [A-Za-z0-9“(`]|\d\. [A-Z]|[A-Z0-9])/);
        const ours = text.replace(/`[^`\n]+`/g, '');
        expect(ours).not.toMatch(/[`<>|[\]*\\@$]/);
        expect(text).not.toMatch(/[\p{Cf}\u2028\u2029\r\0]/u);
        expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(7);
      },
    ),
  );
});
