import { describe, test } from 'vitest';
import { APPROVAL_MUTANTS } from './approvalMutants.ts';
import { BATCH_MUTANTS } from './batchMutants.ts';
import { expectToBeCaught } from './expectToBeCaught.ts';
import { FURTHER } from './furtherMutants.ts';
import { MARK_MUTANTS } from './markMutants.ts';
import { PEOPLE_MUTANTS } from './peopleMutants.ts';
import { READING } from './readingMutants.ts';
import { RULE_MUTANTS } from './ruleMutants.ts';

describe('removed journal rules are caught', () => {
  test.each(FURTHER)('$name', (mutant) => expectToBeCaught(mutant));
});

describe('removed rules about a journal that was set back are caught', () => {
  test.each(MARK_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
});

describe('changed rows of the table of responses are caught', () => {
  test.each(READING)('$name', (mutant) => expectToBeCaught(mutant));
});

describe('other removed rules of the journal are caught', () => {
  test.each(RULE_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
});

describe('removed rules of batches, with API keys, are caught', () => {
  test.each(BATCH_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant));
});

describe('removed rules of sign-in and permissions are caught', () => {
  test.each(PEOPLE_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant, true));
});

describe('removed rules of approvals are caught', () => {
  test.each(APPROVAL_MUTANTS)('$name', (mutant) => expectToBeCaught(mutant, true));
});
