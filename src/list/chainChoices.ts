import { chainLabel, chainNames } from '#src/lib/chains/names.ts';

/** A chain as it is sent, and its name for people. */
export interface ChainChoice {
  value: string;
  label: string;
}

/** Chains to suggest, as no endpoint names them: those of the rows with this asset first, then of the other rows, then the known ones. */
export function chainChoices(rows: readonly Record<string, unknown>[], asset: string): ChainChoice[] {
  const ofAsset = rows.filter((row) => row['asset'] === asset);
  const names = [...ofAsset, ...rows].flatMap(({ chain }) => (typeof chain === 'string' ? [chain] : []));
  const values = new Set([...names, ...chainNames.map(({ id }) => id)]);
  return [...values].map((value) => ({ value, label: chainLabel(value) }));
}
