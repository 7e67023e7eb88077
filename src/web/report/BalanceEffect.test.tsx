import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { parseWith, withdrawalSchema } from '#src/shared/contract/rows.ts';
import { BalanceEffect } from './BalanceEffect.tsx';
import type { LedgerPart } from './caseFile.ts';

/** A withdrawal in progress for which the ledger locked this amount. */
function amountsOf({ fee, locked }: { fee: string; locked: string }): string {
  const row = parseWith(withdrawalSchema)({ id: 'wd_1', asset: 'USDT', amount: '10', fee, status: 'pending' });
  const entry = { id: 'led_1', asset: 'USDT', created_at: 1 };
  const entries = [
    { ...entry, book: 'available', amount: `-${locked}` },
    { ...entry, id: 'led_2', book: 'locked', amount: locked },
  ];
  const ledger = { kind: 'read', entries, more: false } as unknown as LedgerPart;
  return renderToStaticMarkup(
    <MemoryRouter>
      <BalanceEffect kind="withdrawal" row={row} status="pending" ledger={ledger} />
    </MemoryRouter>,
  );
}

test('a locked amount that includes the fee is not ruled as a sum, and says where the fee comes from', () => {
  const text = amountsOf({ fee: '1', locked: '10' });
  expect(text).toContain('Locked until it completes');
  expect(text).toContain('The fee comes out of the amount.');
  expect(text).not.toContain('border-double');
});

test('a locked amount that is the sum of amount and fee is ruled as a sum', () => {
  const text = amountsOf({ fee: '1', locked: '11' });
  expect(text).toContain('The fee comes on top of the amount.');
  expect(text).toContain('border-double');
});
