import { expect, test } from 'vitest';
import { depositSchema, listOf } from '#src/shared/contract/rows.ts';
import { resource } from '#src/web/resources/deposits.tsx';
import { type CaseFile, caseFacts, fileName } from './caseFile.ts';

const { fields } = resource;
const parse = listOf(depositSchema);

test('declared fields come first, in the contract’s order and even if absent, then the others, all exactly as sent', () => {
  const item: unknown = JSON.parse(
    '{"memo":[1],"tx_hash":7,"address":"bc1q","id":"dep_1","status":{"a":1},"__proto__":"p"}',
  );
  const [row] = parse({ data: [item] }).data;
  if (!row) throw new Error('not a row');
  const facts = caseFacts(fields, row);
  expect(facts.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'id id',
    'object word',
    'status status',
    'asset code',
    'chain chain',
    'received_amount amount',
    'created_at time',
    'memo other',
    'tx_hash other',
    'address address',
    '__proto__ other',
  ]);
  expect(facts.find(({ name }) => name === 'status')?.value).toEqual({ a: 1 });
  expect(facts.find(({ name }) => name === 'asset')?.value).toBeUndefined();
});

test('a file’s name is valid, whatever the id', () => {
  const nameOf = (id: string) => fileName({ id } as CaseFile, '2026-11-21T13:58:22Z');
  expect(nameOf('wd_9fK')).toBe('case-file-wd_9fK-20261121T135822Z.md');
  expect(nameOf('../a b\u202E/')).toBe('case-file-.._a_b__-20261121T135822Z.md');
  expect(nameOf('x'.repeat(500))).toHaveLength('case-file-'.length + 80 + '-20261121T135822Z.md'.length);
});
