/** The contract's Unix seconds of our milliseconds, which come from the database as text. */
export function unixSecondsOf(milliseconds: string | number): number {
  return Math.floor(Number(milliseconds) / 1000);
}
