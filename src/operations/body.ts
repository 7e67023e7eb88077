import { isObject, parseJson } from '#src/lib/answers.ts';

/** What a withdrawal asks for; the amount is a decimal string. */
export interface WithdrawalFields {
  asset: string;
  chain: string;
  amount: string;
  address: string;
}

/** The exact bytes to be sent: review shows this text, the record keeps it, every attempt sends it. */
export function withdrawalBody({ asset, chain, amount, address }: WithdrawalFields): string {
  return JSON.stringify({ asset, chain, amount, address });
}

/** The fields of a recorded body, whichever build wrote it; null where they cannot be read. */
export function readWithdrawalBody(body: string): WithdrawalFields | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain, amount, address } = value;
  if (typeof asset !== 'string' || typeof chain !== 'string') return null;
  if (typeof amount !== 'string' || typeof address !== 'string') return null;
  return { asset, chain, amount, address };
}
