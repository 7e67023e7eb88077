/** The item of the asset in the URL, where the empty text means no asset; undefined if the URL names none of them. */
export function itemOfAsset<T extends { asset: string | null }>(
  items: readonly T[],
  wanted: string | null,
): T | undefined {
  return wanted === null ? undefined : items.find(({ asset }) => (asset ?? '') === wanted);
}
