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

/** The fields of a recorded body; null when the text is not one that withdrawalBody writes. */
export function readWithdrawalBody(body: string): WithdrawalFields | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { asset, chain, amount, address } = value as Record<string, unknown>;
  if (typeof asset !== 'string' || typeof chain !== 'string') return null;
  if (typeof amount !== 'string' || typeof address !== 'string') return null;
  const fields = { asset, chain, amount, address };
  return withdrawalBody(fields) === body ? fields : null;
}
