import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChargeFields, chargeBody, readChargeBody } from './NewChargePage.tsx';

const OWN = { asset: 'USDT', chain: 'tron', amount: '12.50' };

function bodyOf(further: string, own: Omit<ChargeFields, 'further'> = OWN): string {
  const made = chargeBody({ ...own, further });
  if (!made.ok) throw new Error(made.reason);
  return made.body;
}

function reasonOf(further: string): string {
  const made = chargeBody({ ...OWN, further });
  return made.ok ? 'taken' : made.reason;
}

/** Any JSON object without the names of the form's own fields, in any layout. */
const objects = fc
  .tuple(
    fc.dictionary(
      fc.string().filter((name) => !/^(asset|chain|amount|__proto__)$/i.test(name)),
      fc.jsonValue(),
      { noNullPrototype: true },
    ),
    fc.constantFrom(0, 1, 2, '\t'),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent));

/** Typed numbers that a double can't represent. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^[1-9]\d{20,60}$/),
    fc.constantFrom('', '.000', '.10', 'e400', 'E-0'),
  )
  .map((parts) => parts.join(''));

describe('further fields of a charge', () => {
  test('if empty, the body has only the three fields', () => {
    for (const further of ['', ' \n', '{}', ' { } ']) {
      expect(bodyOf(further)).toBe('{"asset":"USDT","chain":"tron","amount":"12.50"}');
    }
  });

  test('follow the form’s own', () => {
    expect(bodyOf('{\n  "order_id": "A-17",\n  "n": 1e400\n}')).toBe(
      '{"asset":"USDT","chain":"tron","amount":"12.50","order_id":"A-17","n":1e400}',
    );
  });

  test('the body has the three fields and exactly the given object', () => {
    fc.assert(
      fc.property(objects, fc.string(), fc.string(), (text, asset, chain) => {
        const body = bodyOf(text, { asset, chain, amount: '1' });
        expect(JSON.parse(body)).toEqual({ ...JSON.parse(text), asset, chain, amount: '1' });
      }),
    );
  });

  test('any number is sent as it was typed', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1 }), (typed) => {
        const further = `{"deep":{"list":[${typed.join(',')}]}}`;
        expect(bodyOf(further)).toBe(`{"asset":"USDT","chain":"tron","amount":"12.50",${further.slice(1)}`);
      }),
    );
  });

  test.each([
    ['{"asset": "BTC"}', '“asset” has a field of its own above'],
    ['{"x": 1, "amount": "2"}', '“amount” has a field of its own above'],
    [String.raw`{"\u0063hain": "x"}`, '“chain” has a field of its own above'],
    ['{"Amount": "2"}', '“Amount” differs from the field above in capitals alone'],
    ['{"a": 1, "a": 2}', '“a” is there twice'],
    ['[]', 'one JSON object, in braces'],
    ['{"a": 1', 'isn’t valid JSON, at position 7'],
    [`{"a": "${'x'.repeat(100_000)}"}`, 'longer than 100,000'],
  ])('%s is refused, with the reason', (further, reason) => {
    expect(reasonOf(further)).toContain(reason);
  });

  test('the names of the three fields are allowed inside a nested object', () => {
    expect(reasonOf('{"line": {"asset": "x", "amount": 1}}')).toBe('taken');
  });
});

describe('a recorded body', () => {
  test('gives the form values that produce it again, digit for digit', () => {
    fc.assert(
      fc.property(objects, numbers, (text, number) => {
        const further = `${text.trim().slice(0, -1)}${text.length > 2 ? ',' : ''}"big number":${number}}`;
        const body = bodyOf(further);
        const fields = readChargeBody(body);
        expect(fields).toMatchObject(OWN);
        expect(fields?.further).toContain(number);
        expect(bodyOf(fields?.further ?? '')).toBe(body);
      }),
    );
  });

  test('without the form’s own fields gives no form values', () => {
    for (const body of ['', '[]', '{"asset":"a"}', '{"asset":1,"chain":"c","amount":"1"}']) {
      expect(readChargeBody(body)).toBeNull();
    }
  });
});
