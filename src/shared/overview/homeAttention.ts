import { type Attention, type AttentionInput, attentionOf, isGuess, isLikely } from './attention.ts';

interface HomeAttentionInput extends AttentionInput {
  /** The ledger, which shows usual durations and times of failure, is still being read. */
  isMeasuring: boolean;
}

/** Items for Home. Until the ledger is read, only those that need no usual durations or times of failure are certain. */
export function homeAttention({ isMeasuring, ...input }: HomeAttentionInput): {
  attention: Attention[];
  /** Items that the ledger may contradict. Space is reserved for them, but they aren't shown. */
  guesses: ReadonlySet<Attention>;
} {
  const found = attentionOf(input);
  const guesses = new Set(isMeasuring ? found.filter(isGuess) : []);
  return { attention: found.filter((each) => !guesses.has(each) || isLikely(each)), guesses };
}
