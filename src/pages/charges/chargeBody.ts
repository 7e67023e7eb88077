import { numberWords } from '#src/lib/count.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { readObjectText } from '#src/lib/json/jsonObject.ts';

/**
 * What the form asks for. The amount is a decimal string; `further` is one JSON object as typed, or nothing: the
 * contract does not show which fields a charge has.
 */
export type ChargeFields = Record<'asset' | 'chain' | 'amount' | 'further', string>;

/** The fields that the form asks for by name, in the order in which they are sent. */
const OWN = ['asset', 'chain', 'amount'] as const;
const LONGEST = 100_000;

export type ChargeBody = { ok: true; body: string } | { ok: false; reason: string };

/** The exact bytes to be sent. What is typed as JSON is joined as text, never parsed and written again. */
export function chargeBody({ asset, chain, amount, further }: ChargeFields): ChargeBody {
  const own = OWN.map((name) => `"${name}":${stringifyExact({ asset, chain, amount }[name])}`).join(',');
  if (further.trim() === '') return { ok: true, body: `{${own}}` };
  if (further.length > LONGEST) {
    return { ok: false, reason: `This is longer than ${numberWords(LONGEST)} characters.` };
  }
  const object = readObjectText(further);
  if (!object.ok) return object;
  const taken = object.members.find(({ name }) => OWN.some((field) => sameName(field, name)));
  if (taken) return { ok: false, reason: takenWords(taken.name) };
  return { ok: true, body: object.inner === '' ? `{${own}}` : `{${own},${object.inner}}` };
}

/** The fields of a recorded body, for another charge like it; null when it is none that chargeBody wrote. */
export function readChargeBody(body: string): ChargeFields | null {
  const object = readObjectText(body);
  if (!object.ok || OWN.some((name, index) => object.members[index]?.name !== name)) return null;
  const [asset, chain, amount] = object.members.slice(0, OWN.length).map(({ name, start, end }) => {
    const member = parseJson(`{${body.slice(start, end)}}`);
    return isObject(member) && typeof member[name] === 'string' ? member[name] : null;
  });
  if (asset == null || chain == null || amount == null) return null;
  const rest = object.members[OWN.length];
  const further = rest ? `{${body.slice(rest.start, body.lastIndexOf('}'))}}` : '';
  const fields = { asset, chain, amount, further };
  const again = chargeBody(fields);
  return again.ok && again.body === body ? fields : null;
}

/** Some readers of JSON take no notice of capitals, so that "Amount" could win over the amount above it. */
function sameName(field: string, name: string): boolean {
  return name.toUpperCase() === field.toUpperCase();
}

function takenWords(name: string): string {
  const own = OWN.find((field) => field === name);
  if (own) return `“${own}” has a field of its own above. Leave it out here: sent twice, either could count.`;
  return `“${name}” differs from the field above in capitals alone. Leave it out here: either could count.`;
}
