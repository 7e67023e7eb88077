import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { parseWith, withdrawalSchema } from '#src/shared/contract/rows.ts';
import { BalanceEffect } from '#src/web/report/BalanceEffect.tsx';
import { parseExact } from '#src/shared/json/exactJson.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { evidenceJson } from '#src/shared/operations/evidenceFiles.ts';
import { ContradictionTable } from './ContradictionTable.tsx';
import { SentRequest } from './Result.tsx';

const shown = (element: React.ReactElement): string => renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>);

describe.each(['12345678901234567890', '0.0000001', '7.00000000000000000001', '-0', '-1E400'])('%s', (number) => {
  const answer = `{"id":"wd_1","asset":${number},"amount":${number},"status":${number},"fee":${number}}`;

  test('is shown exactly in the request', () => {
    const body = `{"asset":"BTC","chain":"bitcoin","amount":${number},"serial":${number},"deep":{"of":[${number}]}}`;
    const text = shown(<SentRequest record={{ ...testOperation, kind: 'charge', path: '/v1/charges', body }} />);
    expect(text.split(`>${number}<`)).toHaveLength(1 + 2);
    expect(text).toContain(`{&quot;of&quot;:[${number}]}`);
  });

  test('is shown exactly in the response', () => {
    const result = { id: 'wd_1', text: answer, requestId: null, by: 'answer' as const, confirmed: [] };
    const succeeded: Operation = { ...testOperation, state: 'succeeded', reason: undefined, result };
    const row = parseWith(withdrawalSchema)(parseExact(answer));
    const ledger = { kind: 'not-asked' } as const;
    const text = shown(<BalanceEffect kind="withdrawal" row={row} status={null} ledger={ledger} />);
    expect(text.split(`>${number}<`)).toHaveLength(1 + 2);
    expect(evidenceJson({ record: succeeded, checks: [], approved: [], service: 's', account: 'a' }, 0)).toContain(
      JSON.stringify(answer).slice(1, -1),
    );
  });

  test('is shown exactly in the table of a contradiction', () => {
    const contradiction = { id: 'wd_1', text: answer, requestId: null, by: 'answer' as const };
    const text = shown(<ContradictionTable record={{ ...testOperation, reason: 'mismatch', contradiction }} />);
    const [table = ''] = text.split('</table>');
    expect(table.split(`>${number}<`)).toHaveLength(1 + 2);
  });
});
